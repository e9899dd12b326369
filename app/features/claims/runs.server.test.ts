import type { ChallengeQuestion } from "@deed/dns/resolve/reader.ts";
import { absentAt, foundAt } from "@deed/dns/testing/readings.ts";
import { evidenceOf } from "@deed/dns/verdict/evidence.ts";
import type { Observation } from "@deed/dns/verdict/observation.ts";
import { isNotNull } from "drizzle-orm";
import { describe, expect, test, vi } from "vitest";
import { DeedError } from "#app/core/errors.server.ts";
import {
  claimed,
  leased,
  NOON,
  readDue,
  stay,
  type TestService,
  testService,
} from "#app/core/testing/service.ts";
import { iso, MINUTE } from "#app/core/time.ts";
import { attempts, verifications } from "#db/schema.ts";
import { archiveDomain, deleteDomain } from "../domains/domains.server.ts";
import { MAX_READS } from "./active-runs.ts";
import { cancelClaim } from "./claims.server.ts";
import { recordRead } from "./outcome.server.ts";
import { startDueReads } from "./runs.server.ts";
import { FIRST_READ_AFTER_MS, LEASE_MS, WINDOW_MS } from "./transition.ts";
import { runVerification } from "./verifications.server.ts";

test("the log names a witness whose certificate is invalid", async () => {
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
  type See = (question: ChallengeQuestion, at: number) => Observation;
  let release: (see: See) => void = () => {};
  const reading = new Promise<void>((started) => {
    service.see = (question, _at, signal) => {
      started();
      return new Promise((resolve, reject) => {
        release = (see) => resolve(see(question, service.now));
        signal.addEventListener("abort", () => reject(signal.reason));
      });
    };
  });
  return { reading, release: (see: See) => release(see) };
}

const found = (at: number, evidence: string | null) => ({
  ...{ decision: { outcome: "found" } as const, evidence, seen: null, chain: null, progress: {} },
  ...{ startedAt: at, endedAt: at, forced: false },
});

// C8.8, C1.5
test("a read proves the claim with attempt and evidence, dated by its end, and not before its time", async () => {
  const { service, read, attempts } = await claimed();
  service.now += FIRST_READ_AFTER_MS - 1;
  await readDue(service);
  expect(service.asked).toHaveLength(0);
  service.now = NOON + 30_000;
  service.see = (question, at) => {
    service.now += 40;
    return foundAt(question, at);
  };
  await readDue(service);
  const proved = { state: "proved", records: [], endedAt: iso(NOON + 30_040) };
  expect(await read()).toMatchObject(proved);
  const attempt = { trigger: "first_check", outcome: "found", latencyMs: 40 };
  expect(await attempts()).toMatchObject([attempt]);
});

describe("C6.11, C19.3, C19.12: two at once", () => {
  test("two forced runs share one draw on the budget, and a refusal", async () => {
    const { service, ctx, account, claim } = await claimed();
    let draws = 0;
    const ids = [ctx, account.id, claim.verificationId] as const;
    const drawing = (draw: () => Promise<void>) =>
      Promise.allSettled([1, 2, 3].map(() => runVerification(...ids, stay, draw)));
    const shared = await drawing(async () => void draws++);
    expect(shared).toMatchObject(Array(3).fill({ status: "fulfilled" }));
    expect([draws, service.asked.length]).toEqual([1, 1]);
    const refused = await drawing(async () => {
      draws++;
      throw new DeedError("rate_limited", { retryAfter: 7 });
    });
    expect(refused).toMatchObject(Array(3).fill({ reason: { code: "rate_limited" } }));
    expect([draws, service.asked.length]).toEqual([2, 1]);
    await drawing(async () => void draws++);
    expect([draws, service.asked.length]).toEqual([3, 2]);
  });

  /** Three forced runs that join a scheduled read, which began before the record existed. */
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
    const forced = Promise.all([force(), force(), force()]);
    /** All claims are proved, after this many draws and reads. */
    const proved = async (...counts: number[]) => {
      expect(await forced).toMatchObject(Array(3).fill({ status: "proved" }));
      expect([draws, service.asked.length]).toEqual(counts);
    };
    return { ...mine, slow, proved };
  };

  // C6.11
  test("forced runs that joined a scheduled read share one more, and one draw, unless it found the record", async () => {
    const { service, ctx, slow, proved, attempts } = await joining();
    service.see = foundAt;
    slow.release(absentAt);
    await proved(1, 2);
    const triggers = (await attempts()).map(({ trigger }) => trigger);
    expect(triggers).toEqual(["requested", "first_check"]);
    expect(ctx.db.select().from(verifications).get()?.fastMs).toBe(30_000);
    const other = await joining();
    other.slow.release(foundAt);
    await other.proved(1, 1);
  });
});

describe("C5.16: what happens to the claim during a read", () => {
  type Mine = Awaited<ReturnType<typeof claimed>>;
  const during = async (end: (mine: Mine) => Promise<unknown>) => {
    const mine = await claimed();
    const slow = held(mine.service);
    const forced = mine.run();
    await slow.reading;
    await end(mine);
    slow.release(foundAt);
    return { ...mine, forced };
  };

  const cancel = ({ ctx, account, claim }: Mine) => cancelClaim(ctx, account.id, claim.id);
  const archive = ({ ctx, account, claim }: Mine) => archiveDomain(ctx, account.id, claim.domainId);
  const expire = ({ service, read }: Mine) => {
    service.now += WINDOW_MS;
    return read();
  };
  test.each([
    ["canceled", "canceled", cancel],
    ["archived", "canceled", archive],
    ["overdue", "expired", expire],
  ] as const)("%s: the claim stays %s and the read leaves no attempt", async (_, state, end) => {
    const { forced, read, attempts } = await during(end);
    await expect(forced).rejects.toMatchObject({ code: "verification_not_running" });
    const claim = await read();
    expect(claim.state).toBe(state);
    if (state === "expired") expect(claim.endedAt).toBe(claim.expiresAt);
    expect(await attempts()).toEqual([]);
  });

  test("deleted: nothing of it comes back", async () => {
    const { ctx, forced } = await during(({ ctx, account, claim }) =>
      deleteDomain(ctx, account.id, claim.domainId),
    );
    await expect(forced).rejects.toMatchObject({ code: "verification_not_found" });
    expect(ctx.db.select().from(attempts).all()).toEqual([]);
  });

  test("overdue while the outcome is being written: what was found before the deadline counts", async () => {
    const { service, ctx, claim, read } = await claimed();
    service.now += WINDOW_MS - 1;
    const taken = await leased(service, claim.verificationId);
    const question = { domain: claim.domain, label: "_service-challenge", token: claim.token };
    const endedAt = service.now;
    service.now += 50;
    const evidence = JSON.stringify(evidenceOf(foundAt(question, endedAt)));
    await recordRead(ctx, taken, found(endedAt, evidence));
    expect(await read()).toMatchObject({ state: "proved", endedAt: iso(endedAt) });
  });

  test("a read that ends at the deadline or later proves nothing and leaves no attempt", async () => {
    const { service, run, shown, attempts } = await claimed();
    service.now += WINDOW_MS - 1_000;
    service.see = (question, at) => {
      service.now += 1_000;
      return foundAt(question, at);
    };
    await expect(run()).rejects.toMatchObject({ code: "verification_not_running" });
    expect(await shown()).toMatchObject({ status: "exhausted", nextRunAt: null });
    expect(await attempts()).toEqual([]);
  });
});

describe("C9.6: a process that died during a read", () => {
  const orphaned = async () => {
    const mine = await claimed();
    const { service, claim } = mine;
    service.now += 30_000;
    const orphan = await leased(service, claim.verificationId);
    return { ...mine, orphan };
  };

  test("holds the verification until its lease lapses, and no longer", async () => {
    const { service, read } = await orphaned();
    service.see = foundAt;
    service.now += LEASE_MS - 1;
    await readDue(service);
    expect(service.asked).toHaveLength(0);
    service.now += 1;
    await readDue(service);
    expect((await read()).state).toBe("proved");
  });

  test("cannot write its outcome once another has taken over", async () => {
    const { service, ctx, read, attempts, orphan } = await orphaned();
    service.now += LEASE_MS;
    await readDue(service);
    await recordRead(ctx, orphan, found(service.now, null));
    expect([(await read()).state, (await attempts()).length]).toEqual(["pending", 1]);
  });

  test("holds it no longer where the clock has gone back since", async () => {
    const { service, run } = await orphaned();
    service.see = foundAt;
    service.now -= MINUTE;
    expect((await run()).status).toBe("proved");
  });

  test("is waited out by a forced run", async () => {
    const { service, run } = await orphaned();
    const forced = run();
    // The run looks every tenth of a second.
    await new Promise((resolve) => setTimeout(resolve, 150));
    expect(service.asked).toHaveLength(0);
    service.now += LEASE_MS;
    expect((await forced).lastOutcome).toBe("absent");
  });
});

describe("our side failing", () => {
  test("a reader that throws is our side, is logged, and proves nothing", async () => {
    const { service, run, attempts } = await claimed();
    service.see = () => {
      throw new Error("out of sockets");
    };
    expect(await run()).toMatchObject({ status: "checking", lastOutcome: "unresolvable" });
    expect(service.complaints).toEqual(["DNS read failed"]);
    const failed = { outcome: "unresolvable", diagnosis: null, latencyMs: null };
    expect(await attempts()).toMatchObject([failed]);
  });

  test("reads cut off at shutdown leave no attempt and stay due", async () => {
    const { service, ctx, read, attempts } = await claimed();
    service.now += 30_000;
    const slow = held(service);
    await startDueReads(ctx, MAX_READS);
    await slow.reading;
    await ctx.runs.drain(1);
    expect(await attempts()).toEqual([]);
    service.see = foundAt;
    await readDue(service);
    expect((await read()).state).toBe("proved");
  });
});

describe("many due", () => {
  /** Reads that block until released, oldest first. */
  function standing(service: TestService) {
    const waiting: (() => void)[] = [];
    service.see = (question, at) =>
      new Promise((resolve) => waiting.push(() => resolve(absentAt(question, at))));
    /** Ends so many reads, and waits until all running reads block again. */
    const release = async (count: number) => {
      for (const end of waiting.splice(0, count)) end();
      await vi.waitFor(() => expect(waiting).toHaveLength(service.ctx.runs.size), 30_000);
    };
    return { waiting, release };
  }
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
    await release(0);
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
    const both = expect.arrayContaining(["own.example", "other.example"]);
    await vi.waitFor(() => expect(asked(service)).toEqual(both), 30_000);
    const ended = Promise.all(forced);
    // A run that joined a scheduled read makes another read follow.
    while (!(await Promise.race([ended, release(60)])));
    expect(await ended).toMatchObject(Array(2).fill({ lastOutcome: "absent" }));
    await service.ctx.runs.drain(1);
  });
});

test("forced runs of one account beyond its share wait in line without a lease, and are cut off there", async () => {
  const service = testService();
  const slow = held(service);
  const forced: Promise<unknown>[] = [];
  for (let i = 0; i < 20; i++)
    forced.push((await claimed(service, undefined, `n${i}.example.com`)).run());
  const outcomes = Promise.allSettled(forced);
  await slow.reading;
  const isLeased = isNotNull(verifications.runId);
  const leased = () => service.ctx.db.select().from(verifications).where(isLeased).all();
  await vi.waitFor(() => expect(service.asked).toHaveLength(17), 30_000);
  expect(leased()).toHaveLength(17);
  await service.ctx.runs.drain(1);
  expect(await outcomes).toMatchObject(Array(20).fill({ reason: { code: "unavailable" } }));
  expect([service.asked.length, leased()]).toEqual([17, []]);
});
