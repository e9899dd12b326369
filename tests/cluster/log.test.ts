import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, it } from "vitest";
import { says } from "../contract/sentences.ts";
import { LogWriter } from "../log/writer.ts";
import { ask, buildYardstick } from "../log/yardstick.ts";
import { Cluster } from "./cluster.ts";
import { figure, sizeOf } from "./figures.ts";
import type { Machine } from "./machine.ts";

type Checkpoint = { origin: string; size: number; root: string; text: string };

let cluster: Cluster;
/** Every checkpoint that any machine served, by its text. */
const seen = new Map<string, Checkpoint>();
let next = 0;

beforeEach(async () => {
  seen.clear();
  cluster = await Cluster.create();
  await cluster.start();
});
afterEach(() => cluster.stop());

async function checkpoint(machine: Machine): Promise<Checkpoint | null> {
  const answer = await fetch(`${machine.url}/log/checkpoint`, {
    signal: AbortSignal.timeout(2_000),
  }).catch(() => null);
  const text = answer?.status === 200 ? await answer.text().catch(() => "") : "";
  const [origin = "", size, root = ""] = text.split("\n");
  if (!text.endsWith("\n")) return null;
  const one = { origin, size: Number(size), root, text };
  seen.set(text, one);
  return one;
}

/** The first checkpoint of a machine that is as wanted. */
async function until(machine: Machine, is: (one: Checkpoint) => boolean): Promise<Checkpoint> {
  const giveUpAt = Date.now() + 30_000;
  for (;;) {
    const one = await checkpoint(machine);
    if (one && is(one)) return one;
    if (Date.now() > giveUpAt)
      throw new Error(`${machine.address} serves ${one?.text}\n${machine.log().slice(-3_000)}`);
    await sleep(25);
  }
}

/** Asks all machines for their checkpoints until it is stopped. */
function watch() {
  let isOver = false;
  const asking = Promise.all(
    cluster.machines.map(async (machine) => {
      while (!isOver) {
        if (machine.isRunning) await checkpoint(machine);
        await sleep(20);
      }
    }),
  );
  return async () => {
    isOver = true;
    await asking;
  };
}

const writerOn = ({ dataDir, database }: Machine) =>
  new LogWriter({
    dataDir,
    baseUrl: cluster.baseUrl,
    mounted: { database, signingKey: cluster.signingKey },
  });

/** Appends one entry after the other to the log on this machine until that is no longer possible, or `end` resolves. */
async function appendUntil(machine: Machine, end: () => Promise<unknown>): Promise<number> {
  const writer = writerOn(machine);
  let isOver = false;
  let appended = 0;
  const appending = (async () => {
    while (!isOver) {
      await writer.append(next, ++next);
      appended += 1;
      await sleep(5);
    }
  })().catch(() => {});
  await end();
  isOver = true;
  await appending;
  writer.close();
  return appended;
}

async function promote(chosen: Machine): Promise<void> {
  for (const machine of cluster.machines) if (machine !== chosen) await machine.stop();
  await chosen.stop();
  chosen.start(chosen.address);
  await chosen.until(({ role, status }) => role === "primary" && status === "ok");
  for (const machine of cluster.machines) {
    if (machine === chosen) continue;
    machine.start(chosen.address);
    await machine.until(({ role }) => role === "replica");
  }
}

/** The machine with the newest transaction; several have it if the last writes reached them all. */
async function furthest(machines: Machine[]): Promise<Machine> {
  const found = await Promise.all(
    machines.map(async (machine) => ({
      machine,
      position: BigInt(`0x${(await machine.health())?.position ?? 0}`),
    })),
  );
  found.sort((a, b) => (a.position < b.position ? 1 : -1));
  const [first] = found;
  if (!first) throw new Error("no machine");
  return first.machine;
}

// Through kills and promotions.
it(says("C24.4", "C24.5"), async () => {
  const program = buildYardstick();
  let primary = cluster.machine(0);
  let kills = 0;
  let appended = 0;
  const stop = watch();
  for (let round = 0; round < sizeOf("LOG_PROMOTIONS", 2); round++) {
    const { origin } = await until(primary, () => true);
    appended += await appendUntil(primary, async () => {
      await sleep(1_000 + Math.random() * 1_500);
      await primary.kill();
    });
    kills += 1;
    if (round % 2 === 1) {
      primary.start(primary.address);
      await primary.until(({ role, status }) => role === "primary" && status === "ok");
      appended += await appendUntil(primary, async () => {
        await sleep(1_000 + Math.random() * 1_000);
        await primary.kill();
      });
      kills += 1;
    }
    const lost = primary;
    primary = await furthest(cluster.machines.filter((machine) => machine !== lost));
    await promote(primary);
    await until(primary, (one) => one.origin !== origin);
  }
  appended += await appendUntil(primary, () => sleep(1_000));
  const writer = writerOn(primary);
  const places = await writer.append(next, next + 1);
  const last = await until(primary, (one) => one.size > (places[0]?.index ?? 0));
  for (const machine of cluster.machines) await until(machine, ({ text }) => text === last.text);
  await stop();

  // Whatever was signed, the database still has: a replica had it before.
  const roots = new Map<string, string>();
  for (const { origin, size, root } of seen.values()) {
    expect(roots.get(`${origin} ${size}`) ?? root).toBe(root);
    roots.set(`${origin} ${size}`, root);
    expect(writer.rootOf(origin.slice(-8), size)).toBe(root);
  }
  const earlier = [...seen.values()].filter(({ origin }) => origin === last.origin);
  const vkey = writer.vkey(last.origin);
  for (const { url } of program ? cluster.machines : []) {
    const prefix = `${url}/log/${last.origin.slice(-8)}`;
    const read = await ask<{ size: number; consistent: number }>(program ?? "", "monitor", {
      prefix,
      vkey,
      earlier: earlier.map(({ text }) => text),
      proofs: 5,
    });
    expect(read).toMatchObject({ size: last.size, consistent: earlier.length });
  }
  writer.close();
  const origins = new Set([...seen.values()].map(({ origin }) => origin));
  figure(
    "the log through kills and promotions",
    `${kills} kills of the primary, ${sizeOf("LOG_PROMOTIONS", 2)} promotions, ${appended} entries: ${seen.size} checkpoints of ${origins.size} origins, no two of one size with different roots, none of them lost`,
  );
});

// While there is no replica.
it(says("C24.5"), async () => {
  const primary = cluster.machine(0);
  const replicas = cluster.machines.slice(1);
  const before = await until(primary, () => true);
  for (const machine of replicas) await machine.stop();
  const writer = writerOn(primary);
  const [place] = await writer.append(next, next + 1);
  await sleep(3_000);
  expect((await checkpoint(primary))?.text).toBe(before.text);
  for (let i = 0; i < 600 && !primary.log().includes("no checkpoint of the log is signed"); i++)
    await sleep(50);
  expect(primary.log()).toContain("no checkpoint of the log is signed");
  for (const machine of replicas) machine.start(primary.address);
  const after = await until(primary, ({ size }) => size === (place?.index ?? 0) + 1);
  expect(after.origin).toBe(before.origin);
  expect(primary.log()).toContain("checkpoints of the log are signed again");

  const startedAt = Date.now();
  const [second] = await writer.append(next + 1, next + 2);
  await until(primary, ({ size }) => size > (second?.index ?? 0));
  figure("from an entry to its checkpoint, in a cluster", `${Date.now() - startedAt} ms`);
  writer.close();
});
