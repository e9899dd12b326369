import type { Observation } from "../verdict/observation.ts";
import { delegation, type LabRecord, labZone } from "./lab-zone.ts";
import { LABEL, type Net, TOKEN, type World, type WorldSetup } from "./world.ts";

/** One row of the fault matrix: a world with a fault, and the expected result of reading it. */
export type Row = {
  name: string;
  setup: (net: Net) => WorldSetup;
  /** Outcome and code or reason, in the format of inWords. */
  expected: string;
  /** Fields that the diagnosis or wait must contain; it may contain more. */
  observed?: (net: Net) => Record<string, unknown>;
  /** What else the observation must show. */
  shows?: (seen: Observation, world: World, net: Net) => boolean;
};

type Facts = Record<string, unknown>;
const asFunction = <T extends object>(given: T | ((net: Net) => T)) =>
  typeof given === "function" ? (given as (net: Net) => T) : () => given;

export const row = (
  name: string,
  setup: WorldSetup | Row["setup"],
  expected: string,
  facts: Facts | ((net: Net) => Facts) = {},
  shows?: Row["shows"],
): Row => ({
  name,
  setup: asFunction<WorldSetup>(setup),
  expected,
  observed: asFunction<Facts>(facts),
  ...(shows && { shows }),
});

export const NAME = `${LABEL}.acme.test`;
export const SHOP = "shop.acme.test";
export const txt = (name: string, data: string | string[] = TOKEN): LabRecord => ({
  name,
  type: "TXT",
  data,
});
export const cname = (name: string, data: string): LabRecord => ({ name, type: "CNAME", data });
export const address = (name: string, data: string): LabRecord => ({ name, type: "A", data });

/** `count` nameservers of acme.test from .3 on, as listed in a delegation. */
export const nameservers = (net: Net, count: number) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`ns${index + 1}.acme.test`, [net.at(3 + index)]]),
  );

/** host.test, which the registry delegates to dns.host.test at .5, with these records. */
export function hosting(net: Net, records: LabRecord[]) {
  const own = { "dns.host.test": [net.at(5)] };
  return {
    tld: { records: delegation("host.test", own) },
    zone: labZone("host.test", own, records),
  };
}

/** The result of every delegated server. */
export const results = (seen: Observation) => seen.servers.map((server) => server.result);
export const allResults = (result: string) => (seen: Observation) =>
  seen.servers.length > 0 && results(seen).every((one) => one === result);
