import type { Observation } from "../verdict/observation.ts";
import type { Net, World, WorldSetup } from "./world.ts";

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

/** The result of every delegated server. */
export const results = (seen: Observation) => seen.servers.map((server) => server.result);
export const allResults = (result: string) => (seen: Observation) =>
  seen.servers.length > 0 && results(seen).every((one) => one === result);
