import { AddressFull } from "@deed/dns/resolve/reader.ts";
import { absentAt, foundAt, partialAt, serialAt } from "@deed/dns/testing/readings.ts";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { claimed, readDue, type TestService, testService } from "#app/core/testing/service.ts";
import { MINUTE } from "#app/core/time.ts";
import { readDnsState } from "#app/features/admin/health.server.ts";
import { MAX_READS, type QueuedRead, ReadQueue } from "./active-runs.ts";
import { rowsOfVerification } from "./outcome.server.ts";
import { startDueReads } from "./runs.server.ts";

const FULL = "192.0.2.53";

/** Starts what is due after this time and waits for it, except for reads that wait themselves. */
async function settle(service: TestService, after = 0) {
  const { ctx } = service;
  service.now += after;
  const started = await startDueReads(ctx, MAX_READS);
  await Promise.all([...ctx.runs.byKey.values()].map(({ done }) => done));
  return started;
}

describe("reads that wait for room at an address", () => {
  let now = 0;
  let held: ReadQueue;
  beforeEach(() => {
    now = 0;
    held = new ReadQueue(() => now);
  });
  const hold = (id: string, change: Partial<QueuedRead> = {}) =>
    held.enqueue({ id, accountId: "one", rank: "other", addresses: [FULL], ...change });
  const always = () => true;

  /** The order in which the reads begin, one every tenth of a second. */
  function order(hasRoom: (address: string) => boolean = always): string[] {
    const ids: string[] = [];
    for (let tries = 0; tries < 20; tries++, now += 100) {
      const read = held.takeNext(hasRoom, always);
      if (read) ids.push(read.id);
    }
    return ids;
  }

  test("begin by rank, then in turns of their accounts", () => {
    for (const id of ["a1", "a2", "a3"]) hold(id);
    hold("b1", { accountId: "two" });
    hold("b2", { accountId: "two" });
    hold("c", { accountId: "three", rank: "likely" });
    expect([order(), held.reads.size]).toEqual([["c", "a1", "b1", "a2", "b2", "a3"], 0]);
  });

  test("begin one after the other at an address, and beside those at others", () => {
    for (const id of ["a1", "a2"]) hold(id);
    hold("b", { addresses: ["192.0.2.54"] });
    const next = () => held.takeNext(always, always)?.id;
    expect([next(), next(), next()]).toEqual(["a1", "b", undefined]);
    now += 100;
    expect(next()).toBe("a2");
  });

  test("need room at all their addresses", () => {
    hold("a", { addresses: [FULL, "192.0.2.54"] });
    expect([order((address) => address === FULL), order()]).toEqual([[], ["a"]]);
  });

  test("give way to one that somebody waits for", () => {
    hold("a", { rank: "likely" });
    hold("forced", { rank: "awaited" });
    expect([held.take("a", always), held.takeNext(always, always)]).toEqual([false, null]);
    expect(held.take("forced", always)).toBe(true);
    now += 100;
    expect(held.takeNext(always, always)?.id).toBe("a");
  });

  test("are bounded by account, with room for another", () => {
    for (let i = 0; i < 2_000; i++) hold(`a${i}`);
    expect(held.reads.size).toBeLessThan(500);
    expect(held.shares.saturatedKeys()).toEqual(["one"]);
    hold("b", { accountId: "two" });
    expect(held.reads.has("b")).toBe(true);
  });
});

describe("C9.8: a read that a full address turns away", () => {
  /** A claim whose first read met a full address. `open`: from now on there is room. */
  async function turnedAway() {
    const mine = await claimed();
    const { service, ctx, claim } = mine;
    let room = false;
    ctx.reader.hasRoom = () => room;
    service.see = () => Promise.reject(new AddressFull(FULL));
    service.now += 30_000;
    const row = () => rowsOfVerification(ctx.db).get({ id: claim.verificationId })?.verification;
    const before = row();
    await settle(service);
    const open = () => {
      service.see = foundAt;
      room = true;
    };
    return { ...mine, row, before, open };
  }

  test("leaves no attempt and no lease, costs no delay, and is no failure of DNS", async () => {
    const { service, ctx, attempts, row, before } = await turnedAway();
    expect(service.asked).toHaveLength(1);
    expect([row(), await attempts()]).toEqual([{ ...before, runId: null, runUntil: null }, []]);
    expect([readDnsState(ctx), service.complaints]).toEqual(["unknown", []]);
    // A worker that stops forgets the read, which is still due.
    await ctx.runs.drain(0);
    expect(ctx.runs.queue.reads.size).toBe(0);
    expect(row()?.nextRunAt).toBe(before?.nextRunAt);
  });

  test("is made once there is room, not before", async () => {
    const { service, read, open } = await turnedAway();
    expect([await settle(service), await settle(service)]).toEqual(["held", "held"]);
    expect(service.asked).toHaveLength(1);
    open();
    await settle(service);
    expect([(await read()).state, await settle(service)]).toEqual(["proved", "all"]);
  });

  test("waits for room if it is forced, and is made then", async () => {
    const { service, ctx, attempts, open, run } = await turnedAway();
    const forced = run();
    await expect.poll(() => service.asked).toHaveLength(2);
    await expect.poll(() => ctx.runs.queue.reads.size).toBe(1);
    open();
    expect((await forced).status).toBe("proved");
    expect(await attempts()).toMatchObject([{ trigger: "requested", outcome: "found" }]);
  });
});

test("a due read at an address known to be full begins only once there is room", async () => {
  const { service, ctx } = await claimed();
  service.see = partialAt;
  await settle(service, 30_000);
  service.now += 2 * MINUTE;
  let room = false;
  ctx.reader.hasRoom = (address) => room || address !== FULL;
  await settle(service);
  expect(service.asked).toHaveLength(1);
  room = true;
  await settle(service);
  expect(service.asked).toHaveLength(2);
});

test("C9.8: a poll does not take the room that a first read waits for", async () => {
  const service = testService();
  await claimed(service, "poll@example.org", "poll.example");
  await settle(service, MINUTE);
  const firsts = ["first.example", "second.example"];
  for (const name of firsts) await claimed(service, `${name}@example.org`, name);
  service.see = () => Promise.reject(new AddressFull(FULL));
  await settle(service, 11_000);
  service.now += MINUTE;
  service.see = absentAt;
  service.asked.splice(0);
  // A read may begin at an address every tenth of a second.
  await vi.waitFor(async () => {
    await settle(service);
    expect(service.asked).toHaveLength(3);
  }, 10_000);
  expect(service.asked.map(({ domain }) => domain)).toEqual([...firsts, "poll.example"]);
});

describe("what the read before saw", () => {
  /** The earlier answers that each of these reads got, noted at its end. */
  async function told(...reads: [serial: number, isForced?: boolean][]) {
    const { service, run } = await claimed();
    const answers: (string | undefined)[] = [];
    for (const [serial, isForced = false] of reads) {
      service.see = (question, at) => {
        answers.push(question.before?.()?.answers);
        return serialAt(serial)(question, at);
      };
      service.now += 2 * MINUTE;
      await (isForced ? run() : readDue(service));
    }
    return answers;
  }

  test("is told to a scheduled read, not to the first nor to a forced one", async () => {
    const answers = await told([1], [1], [1, true], [1]);
    const some = expect.any(String);
    expect(answers).toEqual([undefined, some, undefined, some]);
  });

  test("is what the newest one saw, also if the evidence is that of an earlier one", async () => {
    const [first, second, third] = await told([1], [2], [2]);
    expect(first).toBeUndefined();
    expect(second).toBeDefined();
    expect(third).not.toBe(second);
  });
});
