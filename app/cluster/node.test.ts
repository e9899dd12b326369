import { writeFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { listening } from "#app/core/testing/servers.ts";
import { eachFolder } from "#db/testing.files.ts";
import { ClusterNode, NODE_TIMES, type Role } from "./node.server.ts";

const silent = { debug() {}, info() {}, warn() {}, error() {} };

/** All times of a node are a fifth here; tests/cluster uses the real ones. */
const FASTER = 5;
const TIMES = Object.fromEntries(
  Object.entries(NODE_TIMES).map(([name, ms]) => [name, ms / FASTER]),
) as typeof NODE_TIMES;

/** A fake LiteFS whose answers the test controls. */
class Litefs {
  isPrimary = false;
  hostname = "";
  polls = 0;
  readonly #streams = new Set<ServerResponse>();
  stop = () => {};
  readonly #server = createServer((request, response) => {
    const { isPrimary, hostname } = this;
    if (request.url === "/info") {
      this.polls += 1;
      response.end(JSON.stringify({ isPrimary, candidate: true, primary: { hostname } }));
      return;
    }
    response.write(`${JSON.stringify({ type: "init", data: { isPrimary, hostname } })}\n`);
    this.#streams.add(response);
  });

  async start(): Promise<string> {
    const { port, stop } = await listening(this.#server);
    this.stop = stop;
    return `http://127.0.0.1:${port}`;
  }

  lead(isPrimary: boolean, hostname: string): void {
    this.isPrimary = isPrimary;
    this.hostname = hostname;
    this.tell({ type: "primaryChange", data: { isPrimary, hostname } });
  }

  /** Resolves once the node follows its events. */
  followed = () => vi.waitFor(() => expect(this.#streams.size).toBe(1), 30_000);

  tell(event: object): void {
    for (const stream of this.#streams) stream.write(`${JSON.stringify(event)}\n`);
  }
}

let litefs: Litefs;
const folder = eachFolder();
let node: ClusterNode;
let isGone: boolean;
/** The node promoted after this one, and how often this node asked for it. */
let successor: { node: string; term: number } | null;
let asked: number;

const at = (txid: string) => writeFileSync(folder("deed.db-pos"), `${txid}/0123456789abcdef\n`);
const becomes = (role: Role) => vi.waitFor(() => expect(node.role).toBe(role), 30_000);

beforeEach(async () => {
  litefs = new Litefs();
  isGone = false;
  successor = null;
  asked = 0;
  node = new ClusterNode({
    litefsUrl: await litefs.start(),
    databasePath: folder("deed.db"),
    terms: { ask: async () => void asked++, successor: () => successor },
    log: silent,
    times: TIMES,
    onGone: () => {
      isGone = true;
    },
  });
});
afterEach(() => {
  vi.useRealTimers();
  node.stop();
  litefs.stop();
});

describe("the role of a node", () => {
  it("follows every change, and the primary may be written", async () => {
    const roles: Role[] = [];
    node.on("role", (role) => roles.push(role));
    litefs.hostname = "10.0.0.1:3000";
    await node.start();
    await becomes("replica");
    expect(node.primary).toBe("10.0.0.1:3000");
    await expect(node.waitUntilWritable()).rejects.toMatchObject({ code: "unavailable" });
    litefs.lead(false, "");
    await becomes("orphan");
    expect(node.primary).toBeNull();
    litefs.lead(true, "10.0.0.2:3000");
    await becomes("primary");
    expect(node.primary).toBeNull();
    await node.waitUntilWritable();
    litefs.lead(false, "10.0.0.3:3000");
    await becomes("replica");
    expect(roles).toEqual(["replica", "orphan", "primary", "replica"]);
  });

  it("stays an orphan's while LiteFS names a primary it does not reach", async () => {
    await node.start();
    await litefs.followed();
    for (let i = 0; i < 4; i++) {
      litefs.lead(false, "10.0.0.1:3000");
      await sleep(20 / FASTER);
      litefs.lead(false, "");
      await sleep(250 / FASTER);
      expect(node.role).toBe("orphan");
    }
  });

  it("is an orphan's where the primary is named and has fallen silent", async () => {
    const beat = (lagMs: number) =>
      writeFileSync(folder(".lag"), `+${String(lagMs).padStart(9, "0")}\n`);
    litefs.hostname = "10.0.0.1:3000";
    beat(0);
    await node.start();
    await becomes("replica");
    const startedAt = Date.now();
    const silent = setInterval(() => beat(Date.now() - startedAt), 20);
    onTestFinished(() => clearInterval(silent));
    // Longer than needed: a busy machine writes the lag late.
    await vi.waitFor(() => expect(node.role).toBe("orphan"), 30_000);
    expect(Date.now() - startedAt).toBeGreaterThan(4_000 / FASTER);
    clearInterval(silent);
    beat(0);
    await becomes("replica");
  });
});

const later = { node: "10.0.0.2", term: 2 };

it.each([
  ["LiteFS", false],
  ["other nodes", true],
])(
  "a primary that stood still for half a minute asks %s before it writes",
  async (_, isSucceeded) => {
    litefs.isPrimary = true;
    await node.start();
    await litefs.followed();
    vi.useFakeTimers({ toFake: ["Date"] });
    vi.setSystemTime(Date.now() + 30_000);
    const writing = node.waitUntilWritable();
    vi.useRealTimers();
    if (isSucceeded) successor = later;
    else litefs.isPrimary = false;
    await expect(writing).rejects.toMatchObject({ code: "unavailable" });
  },
);

describe("a primary after which another node was promoted", () => {
  it("never becomes the primary if it is told at its start", async () => {
    successor = later;
    litefs.isPrimary = true;
    const roles: Role[] = [];
    node.on("role", (role) => roles.push(role));
    await node.start();
    expect(roles).toEqual([]);
    expect(node.facts()).toMatchObject({ role: "orphan", isSuperseded: true });
    await expect(node.waitUntilWritable()).rejects.toMatchObject({ code: "unavailable" });
  });

  it("stops writing when it is told, and starts again once that is taken back", async () => {
    litefs.isPrimary = true;
    await node.start();
    successor = later;
    await becomes("orphan");
    successor = null;
    await becomes("primary");
    expect(node.facts().isSuperseded).toBe(false);
  });

  it("is a replica like any other once LiteFS says so, and asks no more", async () => {
    successor = later;
    litefs.isPrimary = true;
    await node.start();
    litefs.lead(false, "10.0.0.2:3000");
    await becomes("replica");
    expect(node.facts().isSuperseded).toBe(false);
    const before = asked;
    const polls = litefs.polls + (2 * NODE_TIMES.termPollMs) / NODE_TIMES.pollMs;
    await vi.waitFor(() => expect(litefs.polls).toBeGreaterThanOrEqual(polls), 30_000);
    expect(asked).toBe(before);
  });
});

describe("the position of a node", () => {
  it("is read from beside the database, and is nothing where there is none", async () => {
    expect(node.position()).toBe(0n);
    at("00000000000000ff");
    expect(node.position()).toBe(255n);
  });

  it("gives a receipt where it has moved, and none where it has not", () => {
    at("0000000000000005");
    expect(() => node.confirmCommit(5n)).toThrow(/outcome unknown/i);
    expect(node.writtenPosition).toBe(0n);
    node.confirmCommit(4n);
    expect(node.writtenPosition).toBe(5n);
  });

  it("is told with the lag", async () => {
    litefs.hostname = "10.0.0.1:3000";
    writeFileSync(folder(".lag"), "+000000042\n");
    at("000000000000001f");
    await node.start();
    await becomes("replica");
    expect(node.facts()).toMatchObject({ role: "replica", position: "1f", lagMs: 42 });
  });
});

it("says when a transaction has arrived", async () => {
  let count = 0;
  node.on("transaction", () => count++);
  await node.start();
  await litefs.followed();
  litefs.tell({ type: "tx", db: "deed.db", data: {} });
  await vi.waitFor(() => expect(count).toBe(1), 30_000);
});

it("says when LiteFS has ended", async () => {
  await node.start();
  litefs.stop();
  await vi.waitFor(() => expect(isGone).toBe(true), 60_000);
});
