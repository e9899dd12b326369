import { AddressFull } from "@deed/dns/resolve/reader.ts";
import { absentAt, foundAt, partialAt } from "@deed/dns/testing/readings.ts";
import { beforeEach, describe, expect, test } from "vitest";
import { claimed, type TestService, testService } from "#app/core/testing/service.ts";
import { MINUTE } from "#app/core/time.ts";
import { readDnsState } from "#app/features/admin/health.server.ts";
import { type HeldRead, HeldReads, MAX_READS } from "./active-runs.ts";
import { readClaim } from "./claims.server.ts";
import { rowsOfVerification } from "./outcome.server.ts";
import { startDueReads } from "./runs.server.ts";
import { listAttempts } from "./verifications.server.ts";

const FULL = "192.0.2.53";

describe("reads that wait for room at an address", () => {
  let now = 0;
  let held: HeldReads;
  beforeEach(() => {
    now = 0;
    held = new HeldReads(() => now);
  });
  const hold = (id: string, change: Partial<HeldRead> = {}) =>
    held.hold({ id, accountId: "one", rank: "other", addresses: [FULL], ...change });
  const always = () => true;

  /** The order in which they begin, one every tenth of a second. */
  function order(hasRoom: (address: string) => boolean = always): string[] {
    const ids: string[] = [];
    for (let tries = 0; tries < 20; tries++, now += 100) {
      const read = held.next(hasRoom, always);
      if (read) ids.push(read.id);
    }
    return ids;
  }

  test("begin by rank, then in turns of their accounts", () => {
    for (const id of ["a1", "a2", "a3"]) hold(id);
    hold("b1", { accountId: "two" });
    hold("b2", { accountId: "two" });
    hold("c", { accountId: "three", rank: "likely" });
    expect(order()).toEqual(["c", "a1", "b1", "a2", "b2", "a3"]);
    expect(held.reads.size).toBe(0);
  });

  test("begin one after the other at an address, and beside those at others", () => {
    for (const id of ["a1", "a2"]) hold(id);
    hold("b", { addresses: ["192.0.2.54"] });
    const both = [held.next(always, always)?.id, held.next(always, always)?.id];
    expect(both).toEqual(["a1", "b"]);
    expect(held.next(always, always)).toBeNull();
    now += 100;
    expect(held.next(always, always)?.id).toBe("a2");
  });

  test("need room at all their addresses", () => {
    hold("a", { addresses: [FULL, "192.0.2.54"] });
    expect(order((address) => address === FULL)).toEqual([]);
    expect(order()).toEqual(["a"]);
  });

  test("give way to one that somebody waits for", () => {
    hold("a", { rank: "likely" });
    hold("forced", { rank: "awaited" });
    expect(held.take("a", always)).toBe(false);
    expect(held.next(always, always)).toBeNull();
    expect(held.take("forced", always)).toBe(true);
    now += 100;
    expect(held.next(always, always)?.id).toBe("a");
  });

  test("are bounded by account, with room for another", () => {
    for (let i = 0; i < 2_000; i++) hold(`a${i}`);
    expect(held.reads.size).toBeLessThan(500);
    expect(held.shares.saturatedKeys()).toEqual(["one"]);
    hold("b", { accountId: "two" });
    expect(held.reads.has("b")).toBe(true);
  });
});

// C9.8
describe("a read that a full address turns away", () => {
  /** A claim whose first read is turned away once. `hasRoom` decides whether the next may begin. */
  async function turnedAway() {
    const { service, ctx, account, claim, run } = await claimed();
    let room = false;
    ctx.reader.hasRoom = () => room;
    service.see = () => Promise.reject(new AddressFull(FULL));
    service.now += 30_000;
    const row = () => {
      const pair = rowsOfVerification(ctx.db).get({ id: claim.verificationId });
      if (!pair) throw new Error("no verification");
      return pair.verification;
    };
    const settle = async () => {
      const started = await startDueReads(ctx, MAX_READS);
      await Promise.all([...ctx.runs.byKey.values()].map(({ done }) => done));
      return started;
    };
    const before = row();
    await settle();
    const open = () => {
      room = true;
    };
    return { service, account, claim, run, row, before, settle, open };
  }

  test("leaves no attempt and no lease, costs no delay, and is no failure of DNS", async () => {
    const { service, account, claim, row, before } = await turnedAway();
    expect(service.asked).toHaveLength(1);
    expect(row()).toEqual({ ...before, runId: null, runUntil: null });
    expect(await listAttempts(service.ctx, account.id, claim.verificationId)).toEqual([]);
    expect(readDnsState(service.ctx)).toBe("unknown");
    expect(service.complaints).toEqual([]);
  });

  test("is made once there is room, not before", async () => {
    const { service, account, claim, settle, open } = await turnedAway();
    service.see = foundAt;
    expect([await settle(), await settle()]).toEqual(["held", "held"]);
    expect(service.asked).toHaveLength(1);
    open();
    await settle();
    const proved = await readClaim(service.ctx, account.id, claim.id);
    expect(proved.state).toBe("proved");
    expect(await settle()).toBe("all");
  });

  test("waits for room if it is forced, and is made then", async () => {
    const { service, account, claim, open, run } = await turnedAway();
    const forced = run();
    await new Promise((resolve) => setTimeout(resolve, 100));
    service.see = foundAt;
    open();
    expect((await forced).status).toBe("proved");
    const attempts = await listAttempts(service.ctx, account.id, claim.verificationId);
    expect(attempts).toMatchObject([{ trigger: "requested", outcome: "found" }]);
  });

  test("is forgotten by a worker that stops, and still due", async () => {
    const { service, row, before } = await turnedAway();
    await service.ctx.runs.drain(0);
    expect(service.ctx.runs.held.reads.size).toBe(0);
    expect(row().nextRunAt).toBe(before.nextRunAt);
  });
});

test("a due read at an address known to be full begins only once there is room", async () => {
  const service = testService();
  await claimed(service);
  service.see = partialAt;
  service.now += 30_000;
  const settle = async () => {
    await startDueReads(service.ctx, MAX_READS);
    await Promise.all([...service.ctx.runs.byKey.values()].map(({ done }) => done));
  };
  await settle();
  service.now += 2 * MINUTE;
  let room = false;
  service.ctx.reader.hasRoom = (address) => room || address !== FULL;
  await settle();
  expect(service.asked).toHaveLength(1);
  room = true;
  await settle();
  expect(service.asked).toHaveLength(2);
});

// C9.8
test("a poll does not take the room that a first read waits for", async () => {
  const service = testService();
  const { ctx } = service;
  await claimed(service, "poll@example.org", "poll.example");
  service.see = absentAt;
  const settle = async () => {
    await startDueReads(ctx, MAX_READS);
    await Promise.all([...ctx.runs.byKey.values()].map(({ done }) => done));
  };
  service.now += MINUTE;
  await settle();
  for (const name of ["first.example", "second.example"])
    await claimed(service, `${name}@example.org`, name);
  service.see = () => Promise.reject(new AddressFull(FULL));
  service.now += 11_000;
  await settle();
  service.now += MINUTE;
  service.see = absentAt;
  const asked = service.asked.length;
  for (let turn = 0; turn < 3; turn++) {
    await settle();
    await new Promise((resolve) => setTimeout(resolve, 150));
  }
  expect(service.asked.slice(asked).map(({ domain }) => domain)).toEqual([
    "first.example",
    "second.example",
    "poll.example",
  ]);
});

describe("what the read before saw", () => {
  /** Whether the newest read was told. */
  const isTold = ({ asked }: TestService) => asked.at(-1)?.before?.() != null;

  test("is told to a scheduled read, not to the first nor to a forced one", async () => {
    const { service, ctx, run } = await claimed();
    const told: boolean[] = [];
    service.see = (question, at) => {
      told.push(isTold(service));
      return absentAt(question, at);
    };
    const scheduled = async () => {
      service.now += 2 * MINUTE;
      await startDueReads(ctx, MAX_READS);
      await ctx.runs.drain(60_000);
    };
    await scheduled();
    await scheduled();
    await run();
    await scheduled();
    expect(told).toEqual([false, true, false, true]);
  });

  test("is what the newest one saw, also if the evidence is that of an earlier one", async () => {
    const service = testService();
    await claimed(service);
    const answers: (string | undefined)[] = [];
    for (const serial of [1, 2, 2]) {
      service.see = (question, at) => {
        answers.push(question.before?.()?.answers);
        const seen = absentAt(question, at);
        const servers = seen.servers.map((server) => ({
          ...server,
          answer: server.answer && {
            ...server.answer,
            soa: server.answer.soa && { ...server.answer.soa, serial },
          },
        }));
        return { ...seen, servers };
      };
      service.now += 2 * MINUTE;
      await startDueReads(service.ctx, MAX_READS);
      await service.ctx.runs.drain(60_000);
    }
    expect(answers[0]).toBeUndefined();
    expect(answers[1]).toBeDefined();
    expect(answers[2]).not.toBe(answers[1]);
  });
});
