import { isDeepStrictEqual } from "node:util";
import { MAX_CHAIN_PACKETS } from "../resolve/dnssec-chain.ts";
import { packetsFor, READ_TIMEOUT_MS } from "../resolve/read.ts";
import type { Decision } from "../verdict/diagnosis.ts";
import type { Observation } from "../verdict/observation.ts";
import type { Facts, Row } from "./rows.ts";
import { CONTROL_ROWS } from "./rows-controls.ts";
import { CUT_ROWS } from "./rows-cuts.ts";
import { DELEGATION_ROWS } from "./rows-delegation.ts";
import { CAPITAL_ROWS, DNSSEC_ROWS } from "./rows-dnssec.ts";
import { NAMESERVER_ROWS } from "./rows-nameservers.ts";
import { RECORD_ROWS } from "./rows-record.ts";
import { SHUT_PORT_ROWS } from "./rows-shut-port.ts";
import { TRANSPORT_ROWS } from "./rows-transport.ts";
import { WITNESS_ROWS } from "./rows-witness.ts";
import { describeDecision, inWorld, netOf, type World } from "./world.ts";

export const FAULT_MATRIX: Row[] = [
  ...TRANSPORT_ROWS,
  ...CONTROL_ROWS,
  ...DELEGATION_ROWS,
  ...CUT_ROWS,
  ...NAMESERVER_ROWS,
  ...RECORD_ROWS,
  ...WITNESS_ROWS,
  ...DNSSEC_ROWS,
  ...CAPITAL_ROWS,
  ...SHUT_PORT_ROWS,
];

/** Latest end of a read: its deadline plus a margin. */
export const LATEST_MS = READ_TIMEOUT_MS + 5_000;

export type RowResult = {
  actual: string;
  /** Whether the decision is as expected and the observation shows what the row requires. */
  isRight: boolean;
  /** Whether it came to a record sooner than it may. A late answer can only make it later, so this is never read again. */
  falseFound: boolean;
  tookMs: number;
  packets: number;
  maxPackets: number;
};

/** Two questions of a read have packets of their own. Only a busy machine, where answers are late, needs nearly all. */
const maxPackets = ({ servers, validation, named }: Observation) =>
  packetsFor(servers.length) +
  (validation ? MAX_CHAIN_PACKETS : 0) +
  (named ? packetsFor(named.length) : 0);

function observedIn(decision: Decision): object {
  if (decision.outcome !== "absent") return {};
  const { diagnosis, wait } = decision;
  const awaited = wait?.reason === "nameserver_sync" ? wait.observed : null;
  return diagnosis?.observed ?? awaited ?? {};
}

function includes(decision: Decision, facts: Facts): boolean {
  const observed = new Map<string, unknown>(Object.entries(observedIn(decision)));
  return Object.entries(facts).every(([key, fact]) => isDeepStrictEqual(observed.get(key), fact));
}

/** Reads a row once, in its world on the `index`th network. `patience`: for rows whose servers are not late. */
export function runRow(row: Row, index: number, port: number, patience = 1): Promise<RowResult> {
  const net = netOf(index);
  const setup = { ...row.setup(net), patience: row.isLate ? 1 : patience };
  const read = async (world: World) => {
    const { seen, decision, second, tookMs } = await world.read();
    const came = [decision, second]
      .flatMap((one) => (one ? describeDecision(one) : []))
      .join(", then ");
    const shown = row.checks.every((check) =>
      typeof check === "function" ? check(seen, world, net) : includes(decision, check),
    );
    return {
      actual: shown ? came : `${came}, but the observation differs`,
      isRight: came === row.expected && shown,
      falseFound: came.endsWith("found") && ![came, "found"].includes(row.expected),
      tookMs,
      packets: seen.packets,
      maxPackets: maxPackets(seen),
    };
  };
  return inWorld(setup, net, read, port);
}
