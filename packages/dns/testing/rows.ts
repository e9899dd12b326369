import type { Observation } from "../verdict/observation.ts";
import type { LabOptions } from "./lab-server.ts";
import type { LabRecord } from "./lab-zone.ts";
import {
  LABEL,
  type Net,
  type ServerOptions,
  TOKEN,
  type World,
  type WorldSetup,
} from "./world.ts";

export type Shows = (seen: Observation, world: World, net: Net) => boolean;
/** Fields that the diagnosis or wait must contain; it may contain more. */
export type Facts = Record<string, unknown>;

/** One row of the fault matrix: a world with a fault, and the result in the words of describeDecision. */
export type Row = {
  name: string;
  setup: (net: Net) => WorldSetup;
  expected: string;
  /** Its servers are too slow for a reader with less than the usual patience. */
  isLate?: true;
  checks: (Facts | Shows)[];
};

export const NAME = `${LABEL}.acme.test`;
export const SHOP = "shop.acme.test";
export const txt = (name: string, data: string | string[] = TOKEN): LabRecord => ({
  name,
  type: "TXT",
  data,
});
export const cname = (name: string, data: string): LabRecord => ({ name, type: "CNAME", data });
export const address = (name: string, data: string): LabRecord => ({ name, type: "A", data });

/** `count` servers from .3 on, all with these options. */
export const each = (options: ServerOptions, count = 2): Record<number, ServerOptions> =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [3 + at, options]));
export const three = (options: LabOptions): LabOptions[] => Array(3).fill(options);

/** `count` nameservers of acme.test from .3 on, in the format of a delegation. */
export const nameservers = (net: Net, count: number) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`ns${index + 1}.acme.test`, [net.at(3 + index)]]),
  );

export const hostsOf = (seen: Observation) => seen.servers.map(({ host }) => host).join();
/** Whether every delegated server had this result. */
export const all =
  (result: string): Shows =>
  ({ servers }) =>
    servers.length > 0 && servers.every((one) => one.result === result);
export const unconfirmed: Shows = (seen) => seen.confirmation?.confirmed === false;
