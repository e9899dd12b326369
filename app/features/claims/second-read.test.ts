import { absentAt, foundAt, unreachableAt } from "@deed/dns/testing/readings.ts";
import { describe, expect, test } from "vitest";
import { claimed, readDue, type TestService } from "#app/core/testing/service.ts";
import { DAY, MINUTE, SECOND } from "#app/core/time.ts";
import { readBacklog } from "#app/features/admin/health.server.ts";
import { firstDue } from "#worker/index.ts";
import { claimScreen } from "../claim-page/claim-screen.server.ts";
import { expireOverdue } from "./expiry.server.ts";
import { WINDOW_MS } from "./transition.ts";

const STEP = 5 * SECOND;

/** All nameservers have the record except one, which is silent. */
const doubtfulAt: TestService["see"] = (question, at) => {
  const { servers, ...read } = foundAt(question, at);
  const mute = { result: "timeout", answer: null, latencyMs: null } as const;
  return { ...read, servers: servers.map((one, at) => (at === 1 ? { ...one, ...mute } : one)) };
};

/** A claim of this age, read while one nameserver is silent; `chance` draws the time of the second read. */
async function doubted(chance: number, age = 0) {
  const mine = await claimed();
  const { service, ctx, account, shown, attempts } = mine;
  let draws = 0;
  ctx.random = () => (draws++ === 0 ? chance : 0.5);
  service.see = doubtfulAt;
  service.now += age + 10 * SECOND;
  const began = service.now;
  await readDue(service);
  const outcomes = async () => (await attempts()).map(({ outcome }) => outcome);
  return {
    ...{ ...mine, began, outcomes },
    /** Goes on step by step while the claim is open, and notes what anybody can see after each step. */
    async live(ms: number, see?: (elapsed: number) => TestService["see"]) {
      const seen: object[] = [];
      while (service.now < began + ms && (await shown()).nextRunAt !== null) {
        service.now += STEP;
        if (see) service.see = see(service.now - began);
        await readDue(service);
        const { id: _, claimId, ...verification } = await shown();
        const list = (await attempts()).map(({ id: _, ...attempt }) => attempt);
        const screen = await claimScreen(ctx, account.id, claimId, { isLive: true });
        const { lastRunAt, nextRunAt, waitEstimate } = screen.verification;
        const page = { lastRunAt, nextRunAt, waitEstimate, reloads: screen.reloads };
        seen.push({ verification, list, page, backlog: readBacklog(ctx) });
      }
      return seen;
    },
  };
}

describe("C8.10, C9.7: the second read of a record whose nameservers do not all answer", () => {
  test.each([
    ["ten seconds", 0],
    ["a day", DAY],
  ])("comes at its moment, which nothing tells before, for a claim of %s", async (_, age) => {
    const early = await doubted(0.1, age);
    const late = await doubted(0.9, age);
    const waitEstimate = { reason: "nameserver_sync", secondsRemaining: 301 };
    for (const { shown } of [early, late])
      expect(await shown()).toMatchObject({ status: "propagating", waitEstimate });
    const [sooner, later] = [await early.live(6 * MINUTE), await late.live(6 * MINUTE)];
    // A tenth and nine tenths of the way from the end of the first minute to that of the fifth.
    expect([sooner.length, later.length]).toEqual([17, 56]);
    expect(later.slice(0, 16)).toEqual(sooner.slice(0, 16));
    const [last, ...before] = await early.outcomes();
    expect([last, new Set(before)]).toEqual(["found", new Set(["absent"])]);
    expect((await early.attempts())[0]?.trigger).toBe("scheduled");
    if (age === DAY) expect(before).toHaveLength(1);
  });

  test("is among what falls due, and is made once", async () => {
    const { service, ctx, began, outcomes, shown } = await doubted(0.5, DAY);
    expect(firstDue(ctx.db).get({ after: began })).toBe(began + 40 + 3 * MINUTE);
    service.now = began + 4 * MINUTE;
    service.see = unreachableAt;
    await readDue(service);
    await readDue(service);
    // Nothing was reached: the next scheduled read decides.
    expect(await outcomes()).toEqual(["unresolvable", "absent"]);
    const next = Date.parse((await shown()).nextRunAt ?? "");
    expect(firstDue(ctx.db).get({ after: service.now })).toBe(Math.min(next, began + DAY));
    service.now = next;
    service.see = doubtfulAt;
    await readDue(service);
    expect((await shown()).status).toBe("proved");
  });

  test("is not shortened by reads in between, nor changed by those that reach nothing", async () => {
    const { live, outcomes } = await doubted(0.5);
    const dark = (elapsed: number) => (elapsed < 2 * MINUTE ? unreachableAt : doubtfulAt);
    expect(await live(6 * MINUTE, dark)).toHaveLength(37);
    const [last, ...before] = await outcomes();
    expect(last).toBe("found");
    expect(before).toContain("unresolvable");
  });

  test("is not made once a read in between finds otherwise", async () => {
    const { live, shown } = await doubted(0.5);
    await live(4 * MINUTE, (elapsed) => (elapsed < MINUTE ? absentAt : doubtfulAt));
    const secondsRemaining = expect.toSatisfy((left: number) => left > 60);
    const told = { status: "propagating", waitEstimate: { secondsRemaining } };
    expect(await shown()).toMatchObject(told);
  });

  test.each([
    ["less than five minutes left: the claim expires with that wait", 4 * MINUTE, "exhausted"],
    ["five minutes left", 5 * MINUTE + SECOND, "proved"],
  ])("with %s", async (_, left, status) => {
    const { ctx, live, shown, outcomes } = await doubted(0, WINDOW_MS - 10 * SECOND - left);
    await live(left);
    await expireOverdue(ctx);
    expect((await shown()).status).toBe(status);
    if (status === "proved") return;
    expect((await shown()).waitEstimate).toMatchObject({ observed: { secondRead: true } });
    expect(await outcomes()).not.toContain("found");
  });
});
