import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { createReader } from "@deed/dns/resolve/create-reader.ts";
import { LabServer } from "@deed/dns/testing/lab-server.ts";
import { delegation, labZone } from "@deed/dns/testing/lab-zone.ts";
import { decide, progressOf } from "@deed/dns/verdict/decide.ts";
import type { Decision } from "@deed/dns/verdict/diagnosis.ts";
import { type History, UNREAD } from "@deed/dns/verdict/history.ts";
import { askUdp } from "@deed/playground/client.ts";
import { openPort } from "@deed/playground/port.ts";
import { afterEach } from "vitest";
import { LABEL, TOKEN } from "./case.ts";
import { type Daemon, runDaemon } from "./daemon.ts";

/** Runs one real server from another vendor behind a root and a registry simulated in this process. */
const ROOT = "127.0.41.1";
const TLD = "127.0.41.2";
/** named listens only on addresses assigned to an interface. */
export const AUTHORITY = "127.0.0.1";
export const RESOLVER = "127.0.41.11";
export const ZONE = "acme.test";
export const NAME = `${LABEL}.${ZONE}`;
export const NEGATIVE = 2;

const undo: (() => unknown)[] = [];
/** Registers steps to run at the end of the test, in reverse order. */
export const atEnd = (...steps: (() => unknown)[]): void => void undo.push(...steps);
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

/** A folder for one test. */
export async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), "deed-lag-"));
  // named drops its privileges before it reads the folder.
  await chmod(path, 0o755);
  atEnd(() => rm(path, { recursive: true, force: true }));
  return path;
}

/** Runs a server until the end of the test. Resolves once it answers for the zone. */
export async function serve(program: string, args: string[], address: string, port: number) {
  const daemon: Daemon = runDaemon(program, args);
  atEnd(() => daemon.stop());
  const answers = () => askUdp({ address, port }, { name: ZONE, type: "SOA" }, 300);
  for (const giveUpAt = Date.now() + 10_000; (await answers()) === null; await delay(50))
    if (!daemon.running() || Date.now() > giveUpAt)
      throw new Error(`${program} did not come up:\n${daemon.printed()}`);
}

/**
 * A root and a registry that delegate the zone to one nameserver, and a function that reads it with the history of one
 * claim.
 */
export async function claimant(
  port: number,
  witnesses: { name: string; address: string; port: number }[],
) {
  const ns = { "ns1.acme.test": [AUTHORITY] };
  const servers = [
    new LabServer(ROOT, [
      labZone(".", { "a.root": [ROOT] }, delegation("test", { "ns.test": [TLD] })),
    ]),
    new LabServer(TLD, [labZone("test", { "ns.test": [TLD] }, delegation(ZONE, ns))]),
  ];
  for (const server of servers) await server.listen(port);
  const reader = createReader({
    rootHints: [{ host: "a.root", addresses: [ROOT] }],
    trustAnchors: [],
    witnesses,
    allowAddresses: ["127.0.0.0/8"],
    port,
  });
  atEnd(
    () => reader.close(),
    () => {
      for (const server of servers) server.close();
    },
  );
  let history: History = {
    ...UNREAD,
    endedTokens: [],
    domainOf: () => null,
    tokenPrefix: "service_v1_",
  };
  const read = async (): Promise<Decision> => {
    const seen = await reader.readChallenge(
      { domain: ZONE, label: LABEL, token: TOKEN },
      AbortSignal.timeout(20_000),
    );
    const decision = decide(seen, history);
    history = { ...history, ...progressOf(seen, history) };
    return decision;
  };
  /** Opens another claim of the same account, without the history of the first claim's reads. */
  const startAnew = () => {
    const { serials } = history;
    history = { ...history, ...UNREAD, otherSerials: () => (serials ? [serials] : []) };
  };
  return { read, startAnew };
}

/** A port free on every address of this lab. */
export async function freePort(): Promise<number> {
  const open = await openPort([ROOT, TLD, AUTHORITY, RESOLVER]);
  await open.close();
  return open.number;
}

/** Code or reason of an absent read, outcome of any other. */
export const code = (decision: Decision) =>
  decision.outcome === "absent"
    ? (decision.diagnosis?.code ?? decision.wait?.reason)
    : decision.outcome;
