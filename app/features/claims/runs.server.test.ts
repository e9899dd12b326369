import { setMaxListeners } from "node:events";
import type { ChallengeQuestion } from "@deed/dns/resolve/reader.ts";
import { absentAt, foundAt } from "@deed/dns/testing/readings.ts";
import { evidenceOf } from "@deed/dns/verdict/evidence.ts";
import type { Observation } from "@deed/dns/verdict/observation.ts";
import { isNotNull } from "drizzle-orm";
import { describe, expect, test, vi } from "vitest";
import { DeedError } from "#app/core/errors.server.ts";
import { claimed, leased, NOON, type TestService, testService } from "#app/core/testing/service.ts";
import { attempts, verifications } from "#db/schema.ts";
import { archiveDomain, deleteDomain } from "../domains/domains.server.ts";
import { MAX_READS } from "./active-runs.ts";
import { cancelClaim, readClaim } from "./claims.server.ts";
import { recordRead } from "./outcome.server.ts";
import { startDueReads } from "./runs.server.ts";
import { FIRST_READ_AFTER_MS, LEASE_MS, WINDOW_MS } from "./transition.ts";
import { listAttempts, readVerification, runVerification } from "./verifications.server.ts";

const stay = new AbortController().signal;
setMaxListeners(0, stay);

test("a witness whose certificate does not hold is in the log", async () => {
  const { service, run } = await claimed();
  service.see = (asked, at) => {
    const seen = foundAt(asked, at);
    const [first, ...others] = seen.witnesses ?? [];
    if (!first) throw new Error("no witness was asked");
    return { ...seen, witnesses: [{ ...first, result: "untrusted", answer: null }, ...others] };
  };
  await run();
  expect(service.complaints).toContain("a witness's certificate is invalid");
});

/** A read that blocks until released. */
function held(service: TestService) {
  let release: (observation: Observation) => void = () => {};
  let question: ChallengeQuestion | null = null;
  const reading = new Promise<void>((started) => {
    service.see = (asked, _at, signal) => {
      question = asked;
      started();
      return new Promise((resolve, reject) => {
        release = resolve;
        signal.addEventListener("abort", () => reject(signal.reason));
      });
    };
  });
  return {
    reading,
    release: (see: (question: ChallengeQuestion, at: number) => Observation) => {
      if (question) release(see(question, service.now));
    },
  };
}

/** A read that found the record. */
const found = (at: number, evidence: string | null) => ({
  decision: { outcome: "found" } as const,
  evidence,
  seen: null,
  chain: null,
  progress: {},
  startedAt: at,
  endedAt: at,
  forced: false,
});

/** One run of the schedule, to completion. */
async function tick({ ctx }: TestService) {
  await startDueReads(ctx, MAX_READS);
  await ctx.runs.drain(60_000);
}

// C8.8, C1.5
describe("a read", () => {
  test("proves the claim with attempt and evidence, dated by the end of the read", async () => {
    const { service, ctx, account, claim } = await claimed();
    service.now += 30_000;
    service.see = (question, at) => {
      service.now += 40;
      return foundAt(question, at);
    };
    await tick(service);
    const proved = await readClaim(ctx, account.id, claim.id);
    expect(proved).toMatchObject({ state: "proved", records: [] });
    expect(proved.endedAt).toBe(new Date(NOON + 30_040).toISOString());
    const attempts = await listAttempts(ctx, account.id, claim.verificationId);
    expect(attempts).toMatchObject([{ trigger: "first_check", outcome: "found", latencyMs: 40 }]);
  });

  test("is not due before its time", async () => {
    const service = testService();
    await claimed(service);
    service.now += FIRST_READ_AFTER_MS - 1;
    await tick(service);
    expect(service.asked).toHaveLength(0);
  });
});

describe("two at once", () => {
  test("two forced runs share one draw on the budget, and a refusal", async () => {
    const { service, ctx, account, claim } = await claimed();
    let draws = 0;
    const drawing = (draw: () => Promise<void>) =>
      Promise.allSettled(
        [1, 2, 3].map(() => runVerification(ctx, account.id, claim.verificationId, stay, draw)),
      );
    const shared = await drawing(async () => void draws++);
    expect(shared.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "fulfilled"]);
    expect([draws, service.asked.length]).toEqual([1, 1]);
    const refused = await drawing(async () => {
      draws++;
      throw new DeedError("rate_limited", { retryAfter: 7 });
    });
    expect(refused).toMatchObject(
      refused.map(() => ({ status: "rejected", reason: { code: "rate_limited" } })),
    );
    expect([draws, service.asked.length]).toEqual([2, 1]);
    await drawing(async () => void draws++);
    expect([draws, service.asked.length]).toEqual([3, 2]);
  });

  /** Three forced runs that join a read of the schedule, which began before the record was there. */
  const joining = async () => {
    const mine = await claimed();
    const { service, ctx, account, claim } = mine;
    service.now += 30_000;
    const slow = held(service);
    await startDueReads(ctx, MAX_READS);
    await slow.reading;
    let draws = 0;
    const draw = async () => void draws++;
    const force = () => runVerification(ctx, account.id, claim.verificationId, stay, draw);
    const statuses = Promise.all([force(), force(), force()]).then((shown) =>
      shown.map(({ status }) => status),
    );
    return { ...mine, slow, statuses, draws: () => draws };
  };

  // C6.11
  test("forced runs that joined a scheduled read which found nothing share one more, and one draw", async () => {
    const { service, ctx, slow, statuses, draws } = await joining();
    service.see = foundAt;
    slow.release(absentAt);
    expect(await statuses).toEqual(["proved", "proved", "proved"]);
    expect([draws(), service.asked.length]).toEqual([1, 2]);
    const triggers = ctx.db.select({ trigger: attempts.trigger }).from(attempts).all();
    expect(triggers.map(({ trigger }) => trigger)).toEqual(["first_check", "requested"]);
    expect(ctx.db.select().from(verifications).get()?.fastMs).toBe(30_000);
  });

  test("forced runs that joined a scheduled read which found the record need no other", async () => {
    const { service, slow, statuses, draws } = await joining();
    slow.release(foundAt);
    expect(await statuses).toEqual(["proved", "proved", "proved"]);
    expect([draws(), service.asked.length]).toEqual([1, 1]);
  });
});

// C5.16
describe("what happens to the claim during a read", () => {
  const during = async (end: (service: TestService, ids: Ids) => Promise<unknown>) => {
    const { service, account, claim, run } = await claimed();
    const slow = held(service);
    const forced = run();
    await slow.reading;
    const ids = { ...claim, accountId: account.id, claimId: claim.id };
    await end(service, ids);
    slow.release(foundAt);
    return { service, forced, ids };
  };
  type Ids = { accountId: string; claimId: string; domainId: string; verificationId: string };

  test.each([
    [
      "canceled",
      "canceled",
      ({ ctx }, { accountId, claimId }) => cancelClaim(ctx, accountId, claimId),
    ],
    [
      "archived",
      "canceled",
      ({ ctx }, { accountId, domainId }) => archiveDomain(ctx, accountId, domainId),
    ],
    [
      "overdue",
      "expired",
      (service, { accountId, claimId }) => {
        service.now += WINDOW_MS;
        return readClaim(service.ctx, accountId, claimId);
      },
    ],
  ] satisfies [string, string, Parameters<typeof during>[0]][])(
    "%s: the claim stays %s and the read leaves no attempt",
    async (_, state, end) => {
      const { service, forced, ids } = await during(end);
      await expect(forced).rejects.toMatchObject({ code: "verification_not_running" });
      const claim = await readClaim(service.ctx, ids.accountId, ids.claimId);
      expect(claim).toMatchObject({
        state,
        ...(state === "expired" && { endedAt: claim.expiresAt }),
      });
      expect(await listAttempts(service.ctx, ids.accountId, ids.verificationId)).toEqual([]);
    },
  );

  test("deleted: nothing of it comes back", async () => {
    const { service, forced } = await during(({ ctx }, { accountId, domainId }) =>
      deleteDomain(ctx, accountId, domainId),
    );
    await expect(forced).rejects.toMatchObject({ code: "verification_not_found" });
    expect(service.ctx.db.select().from(attempts).all()).toEqual([]);
  });

  test("overdue while the outcome is being written: what was found before the deadline counts", async () => {
    const { service, ctx, account, claim } = await claimed();
    service.now += WINDOW_MS - 1;
    const taken = await leased(service, claim.verificationId);
    const question = { domain: claim.domain, label: "_service-challenge", token: claim.token };
    const endedAt = service.now;
    service.now += 50;
    const evidence = JSON.stringify(evidenceOf(foundAt(question, endedAt)));
    await recordRead(ctx, taken, found(endedAt, evidence));
    const proved = await readClaim(ctx, account.id, claim.id);
    expect(proved).toMatchObject({ state: "proved", endedAt: new Date(endedAt).toISOString() });
  });

  test("a read that ends at the deadline or later proves nothing and leaves no attempt", async () => {
    const { service, ctx, account, claim, run } = await claimed();
    service.now += WINDOW_MS - 1_000;
    service.see = (question, at) => {
      service.now += 1_000;
      return foundAt(question, at);
    };
    await expect(run()).rejects.toMatchObject({ code: "verification_not_running" });
    const shown = await readVerification(ctx, account.id, claim.verificationId);
    expect(shown).toMatchObject({ status: "exhausted", nextRunAt: null });
    expect(await listAttempts(ctx, account.id, claim.verificationId)).toEqual([]);
  });
});

// C9.6
describe("a process that died during a read", () => {
  const orphaned = async () => {
    const mine = await claimed();
    const { service, claim } = mine;
    service.now += 30_000;
    const orphan = await leased(service, claim.verificationId);
    return { ...mine, orphan };
  };

  test("holds the verification until its lease lapses, and no longer", async () => {
    const { service, account, claim } = await orphaned();
    service.see = foundAt;
    service.now += LEASE_MS - 1;
    await tick(service);
    expect(service.asked).toHaveLength(0);
    service.now += 1;
    await tick(service);
    expect((await readClaim(service.ctx, account.id, claim.id)).state).toBe("proved");
  });

  test("cannot write its outcome once another has taken over", async () => {
    const { service, account, claim, orphan } = await orphaned();
    service.now += LEASE_MS;
    await tick(service);
    await recordRead(service.ctx, orphan, found(service.now, null));
    expect((await readClaim(service.ctx, account.id, claim.id)).state).toBe("pending");
    expect(await listAttempts(service.ctx, account.id, claim.verificationId)).toHaveLength(1);
  });

  test("holds it no longer where the clock has gone back since", async () => {
    const { service, account, claim, run } = await orphaned();
    service.see = foundAt;
    service.now -= 60_000;
    await run();
    expect((await readClaim(service.ctx, account.id, claim.id)).state).toBe("proved");
  });

  test("is waited out by a forced run", async () => {
    const { service, run } = await orphaned();
    const forced = run();
    await new Promise((resolve) => setTimeout(resolve, 150));
    expect(service.asked).toHaveLength(0);
    service.now += LEASE_MS;
    expect((await forced).lastOutcome).toBe("absent");
  });
});

describe("our side failing", () => {
  test("a reader that throws is our side, is logged, and proves nothing", async () => {
    const { service, ctx, account, claim, run } = await claimed();
    service.see = () => {
      throw new Error("out of sockets");
    };
    const shown = await run();
    expect(shown).toMatchObject({ status: "checking", lastOutcome: "unresolvable" });
    expect(service.complaints).toEqual(["DNS read failed"]);
    const [attempt] = await listAttempts(ctx, account.id, claim.verificationId);
    expect(attempt).toMatchObject({ outcome: "unresolvable", diagnosis: null, latencyMs: null });
  });

  test("reads cut off at shutdown leave no attempt and stay due", async () => {
    const { service, ctx, account, claim } = await claimed();
    service.now += 30_000;
    const slow = held(service);
    await startDueReads(ctx, MAX_READS);
    await slow.reading;
    await ctx.runs.drain(1);
    expect(await listAttempts(ctx, account.id, claim.verificationId)).toEqual([]);
    service.see = foundAt;
    await tick(service);
    expect((await readClaim(ctx, account.id, claim.id)).state).toBe("proved");
  });
});

describe("many due", () => {
  /** Reads that block until released, oldest first. */
  function standing(service: TestService) {
    const waiting: (() => void)[] = [];
    service.see = (question, at) =>
      new Promise((resolve) => waiting.push(() => resolve(absentAt(question, at))));
    return {
      waiting,
      release: async (count: number) => {
        for (const end of waiting.splice(0, count)) end();
        await new Promise((resolve) => setTimeout(resolve, 50));
      },
    };
  }
  /** Begins batch after batch, as the worker does. */
  const beginAll = async ({ ctx }: TestService) => {
    for (;;) {
      const begun = await startDueReads(ctx, 5);
      if (begun !== "more") return begun;
    }
  };
  const flood = async (service: TestService, count: number) => {
    for (let i = 0; i < count; i++)
      await claimed(service, "flooder@example.org", `n${i}.example.com`);
  };
  const asked = (service: TestService) => service.asked.map(({ domain }) => domain);

  test("are read in due order, a lot at a time, at most fifty at once", async () => {
    const service = testService();
    for (let i = 0; i < 60; i++) {
      await claimed(service, `h${i}@example.org`, `n${i}.example.com`);
      service.now += 1;
    }
    service.now += 30_000;
    const { waiting, release } = standing(service);
    expect(await startDueReads(service.ctx, 5)).toBe("more");
    expect(await beginAll(service)).toBe("held");
    await release(0);
    const first = waiting.length;
    expect(first).toBeGreaterThan(40);
    expect(first).toBeLessThanOrEqual(MAX_READS);
    expect(asked(service)).toEqual(Array.from({ length: first }, (_, i) => `n${i}.example.com`));
    await release(first);
    expect(await beginAll(service)).toBe("all");
    await release(60);
    expect(service.asked).toHaveLength(60);
  });

  test("of one account leave places to others, whose reads come next though they fell due later", async () => {
    const service = testService();
    await flood(service, 60);
    service.now += 1_000;
    await claimed(service, "stranger@example.org", "stranger.example");
    service.now += 30_000;
    const { release } = standing(service);
    expect(await beginAll(service)).toBe("held");
    await release(0);
    expect(service.asked).toHaveLength(11);
    expect(asked(service)).toContain("stranger.example");
    await release(60);
    await service.ctx.runs.drain(1);
  });

  test("hold up no forced run, of another account or of the same", async () => {
    const service = testService();
    await flood(service, 60);
    const own = await claimed(service, "flooder@example.org", "own.example");
    const other = await claimed(service, "holder@example.org", "other.example");
    service.now += 30_000;
    const { release } = standing(service);
    expect(await beginAll(service)).toBe("held");
    const forced = [own.run(), other.run()];
    await release(0);
    expect(asked(service)).toEqual(expect.arrayContaining(["own.example", "other.example"]));
    const ended = Promise.all(forced);
    let isOver = false;
    void ended.finally(() => {
      isOver = true;
    });
    // One that joined a read of the schedule has another made.
    while (!isOver) await release(60);
    for (const shown of await ended) expect(shown.lastOutcome).toBe("absent");
    await service.ctx.runs.drain(1);
  });
});

test("forced runs of one account beyond its share wait in line without a lease, and are cut off there", async () => {
  const service = testService();
  const slow = held(service);
  const forced: Promise<unknown>[] = [];
  for (let i = 0; i < 20; i++) {
    const { run } = await claimed(service, "maria@example.org", `n${i}.example.com`);
    forced.push(run());
  }
  const outcomes = Promise.allSettled(forced);
  await slow.reading;
  const isLeased = isNotNull(verifications.runId);
  const leased = () => service.ctx.db.select().from(verifications).where(isLeased).all();
  await vi.waitFor(() => expect(service.asked).toHaveLength(17));
  expect(leased()).toHaveLength(17);
  await service.ctx.runs.drain(1);
  for (const outcome of await outcomes)
    expect(outcome).toMatchObject({ status: "rejected", reason: { code: "unavailable" } });
  expect(service.asked).toHaveLength(17);
  expect(leased()).toEqual([]);
});
