import type { Observation } from "../verdict/observation.ts";
import type { LabBehaviour, LabOptions } from "./lab-server.ts";
import { delegation, type LabRecord, labZone } from "./lab-zone.ts";
import {
  LABEL,
  type Net,
  type ServerOptions,
  TOKEN,
  type World,
  type WorldSetup,
} from "./world.ts";

/** What the observation must show. */
export type Shows = (seen: Observation, world: World, net: Net) => boolean;
/** Fields that the diagnosis or wait must contain; it may contain more. */
export type Facts = Record<string, unknown>;
export type Setup = WorldSetup | ((net: Net) => WorldSetup);

/** One row of the fault matrix: a world with a fault, and the outcome and code or reason, as describeDecision has it. */
export type Row = {
  name: string;
  setup: (net: Net) => WorldSetup;
  expected: string;
  checks: (Facts | Shows)[];
};

export const row = (
  name: string,
  setup: Setup,
  expected: string,
  ...checks: Row["checks"]
): Row => ({ name, setup: typeof setup === "function" ? setup : () => setup, expected, checks });

export const comesTo =
  (expected: string) =>
  (name: string, setup: Setup, ...checks: Row["checks"]) =>
    row(name, setup, expected, ...checks);
export const found = comesTo("found");
export const unresolvable = comesTo("unresolvable");
export const lame = comesTo("absent lame_delegation");
export const absent = comesTo("absent record_absent");
export const aliased = comesTo("absent cname_conflict");
export const unpublished = comesTo("absent not_published");
export const syncing = comesTo("absent nameserver_sync");
/** A nameserver stays unanswered: the second read finds the record. */
export const foundLater = comesTo("absent nameserver_sync, then found");

export const NAME = `${LABEL}.acme.test`;
export const SHOP = "shop.acme.test";
export const txt = (name: string, data: string | string[] = TOKEN): LabRecord => ({
  name,
  type: "TXT",
  data,
});
export const cname = (name: string, data: string): LabRecord => ({ name, type: "CNAME", data });
export const address = (name: string, data: string): LabRecord => ({ name, type: "A", data });

/** A claim of shop.acme.test in the zone acme.test. */
export const inShop = { domain: SHOP, zone: "acme.test" };

/** `count` servers from .3 on, all with the same options. */
export const each = (options: ServerOptions, count = 2): Record<number, ServerOptions> =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [3 + at, options]));
/** Both nameservers of acme.test answer like this. */
export const answering = (behaviour: LabBehaviour) => ({ servers: each({ behaviour }) });
/** All three witnesses. */
export const three = (options: LabOptions): LabOptions[] => Array(3).fill(options);

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

export const hostsOf = (seen: Observation) => seen.servers.map(({ host }) => host).join();
/** The result of every delegated server. */
export const results = (seen: Observation) => seen.servers.map((server) => server.result);
export const allResults =
  (result: string): Shows =>
  (seen) =>
    seen.servers.length > 0 && results(seen).every((one) => one === result);
export const zoneIs =
  (zone: string): Shows =>
  ({ delegation }) =>
    delegation.type === "delegated" && delegation.zone === zone;
export const limitIs =
  (limit: Observation["limit"]): Shows =>
  (seen) =>
    seen.limit === limit;
export const unconfirmed: Shows = (seen) => seen.confirmation?.confirmed === false;
