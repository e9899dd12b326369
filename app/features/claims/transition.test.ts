import type { Decision } from "@deed/dns/verdict/diagnosis.ts";
import { describe, expect, test } from "vitest";
import { claimed, testService } from "#app/core/testing/service.ts";
import { DAY } from "#app/core/time.ts";
import { rowsOfVerification } from "./outcome.server.ts";
import { afterRead, afterWaitingNoted, type Read, type VerificationRow } from "./transition.ts";

const OPENED = 1_000_000_000_000;
const NOW = OPENED + 60_000;

const service = testService();
service.now = OPENED;
const opened = await claimed(service);
const rows = rowsOfVerification(service.ctx.db).get({ id: opened.claim.verificationId });
if (!rows) throw new Error("no verification");
const { verification } = rows;

const diagnosis = {
  cname: { code: "cname_conflict", awaits: "claimant", observed: { target: "a.example" } },
  cached: { code: "negative_cache", awaits: "resolvers", observed: { secondsRemaining: 600 } },
} as const;
const cname: Decision = { outcome: "absent", diagnosis: diagnosis.cname, wait: null };
const wait = { reason: "negative_cache", until: NOW + 600_000 } as const;
const remembered: Decision = { outcome: "absent", diagnosis: diagnosis.cached, wait };

const known = { zone: "acme.com", provider: "vercel" } as const;
const progress: Read["progress"] = { ...known, firstSerial: 7, partialSince: null };
const seen = { startedAt: NOW - 100, endedAt: NOW, forced: false, progress };
type Before = Partial<VerificationRow>;
const read = (decision: Decision, some: Before = {}, change: Partial<Read> = {}) =>
  afterRead({ ...verification, ...some }, { ...seen, decision, ...change }, 0.5);

const free = { runId: null, runUntil: null };

describe("C6.4, C6.8, C6.9: a read", () => {
  test("that found: proved, dated by its end, nothing left to run", () => {
    const move = read({ outcome: "found" });
    const ended = { state: "proved", endedAt: NOW, nextNoticeAt: null };
    expect(move.claim).toEqual({ ...ended, provider: "vercel" });
    expect(move.verification).toMatchObject({
      ...{ ...free, status: "proved", diagnosis: null, waitReason: null },
      ...{ nextRunAt: null, lastRunAt: NOW - 100 },
    });
  });

  test("that found, by a clock set back since: proved, dated by its claim", () => {
    const at = OPENED - DAY;
    const { claim: moved } = read({ outcome: "found" }, {}, { startedAt: at, endedAt: at + 50 });
    expect(moved).toMatchObject({ state: "proved", endedAt: OPENED });
  });

  test("with a diagnosis: needs attention", () => {
    const { claim: moved, verification: after } = read(cname);
    expect(moved).toEqual({});
    expect(after).toMatchObject({ ...free, status: "needs_attention", waitReason: null });
    expect(JSON.parse(after.diagnosis ?? "")).toEqual(cname.diagnosis);
  });

  test("with a negative cache: the wait is shown, the diagnosis is not", () => {
    expect(read(remembered).verification).toMatchObject({
      ...{ status: "propagating", diagnosis: null, waitReason: "negative_cache" },
      ...{ waitUntil: NOW + 600_000, nextRunAt: NOW + 601_750 },
    });
  });

  test("with nameservers that are awaited: kept with the wait, and gone with it", () => {
    const noAnswer = [{ host: "ns2.test", result: "timeout" as const }];
    const observed = { nameservers: [], publishedOn: ["ns1.test"], noAnswer };
    const wait = { reason: "nameserver_sync", until: NOW + 1_800_000, observed } as const;
    const { verification: waiting } = read({ outcome: "absent", diagnosis: null, wait });
    expect(JSON.parse(waiting.waitObserved ?? "")).toEqual(observed);
    expect(read(cname, waiting).verification.waitObserved).toBe(null);
    expect(read(remembered, waiting).verification.waitObserved).toBe(null);
    const then = { reason: "negative_cache", until: NOW + 60_000, unasked: 2 } as const;
    const { verification } = read({ ...remembered, wait: then });
    expect(verification.waitObserved).toBe('{"unasked":2}');
    const old = { reason: "negative_cache", until: NOW + 60_000, held: "delegation" } as const;
    const { waitObserved, nextRunAt } = read({ ...remembered, wait: old }).verification;
    expect([waitObserved, nextRunAt]).toEqual(['{"held":"delegation"}', NOW + 15_000]);
  });

  test("that failed on our side: retry until the next if none reached DNS before, else only later", () => {
    const failed = { lastOutcome: "unresolvable", lastRunAt: NOW - 100, failures: 1 };
    const later = { ...free, ...failed, nextRunAt: NOW + 30_000 };
    const retry = { waitReason: "retry", waitUntil: NOW + 30_000 };
    expect(read({ outcome: "unresolvable" }).verification).toEqual({ ...later, ...retry });
    const before = { ...read(cname).verification, nextRunAt: NOW };
    expect(read({ outcome: "unresolvable" }, before).verification).toEqual(later);
    const again = read(cname, { failures: 3 }).verification;
    expect(again).toMatchObject({ failures: 0, nextRunAt: NOW + 15_000 });
  });

  test("that saw no delegation keeps what is known of the zone", () => {
    const known = { zone: "acme.com", provider: "route53" } as const;
    const progress: Read["progress"] = { zone: null, provider: null };
    const { verification: after } = read(cname, known, { progress });
    expect(after).toMatchObject(known);
  });
});

test("a forced run never postpones a read; one that a glance started comes instead of the next", () => {
  const nextRunAt = NOW + 10_000;
  const isGlanced = true;
  const started = read(cname, { nextRunAt }, { isGlanced }).verification;
  expect(started.nextRunAt).toBe(NOW + 60_000);
  const forced = read(cname, { nextRunAt }, { isGlanced, forced: true }).verification;
  expect(forced.nextRunAt).toBe(nextRunAt);
  expect(read(cname, { nextRunAt }, { forced: true }).verification.nextRunAt).toBe(nextRunAt);
  expect(read(remembered, { nextRunAt }, { forced: true }).verification.nextRunAt).toBe(nextRunAt);
});

describe("C9.5: a sign that somebody waits", () => {
  const old = { ...verification, ...read(cname).verification, createdAt: OPENED - DAY };

  test("brings the next read forward, not one during a wait", () => {
    const hourly = { ...old, nextRunAt: NOW + 3_600_000 };
    expect(afterWaitingNoted(hourly, NOW, 0.5)?.nextRunAt).toBe(NOW - 100 + 60_000);
    const longAgo = { ...hourly, lastRunAt: NOW - 600_000 };
    expect(afterWaitingNoted(longAgo, NOW, 0.5)?.nextRunAt).toBe(NOW);
    expect(afterWaitingNoted({ ...old, nextRunAt: NOW + 5_000 }, NOW, 0.5)?.nextRunAt).toBe(
      NOW + 5_000,
    );
    const waiting = { ...hourly, waitReason: "negative_cache", waitUntil: NOW + 600_000 } as const;
    expect(afterWaitingNoted(waiting, NOW, 0.5)?.nextRunAt).toBe(NOW + 601_750);
  });

  test("changes nothing before the first read, nor after the end", () => {
    expect(afterWaitingNoted({ ...old, lastRunAt: null }, NOW, 0.5)).toBeNull();
    expect(afterWaitingNoted({ ...old, nextRunAt: null }, NOW, 0.5)).toBeNull();
  });

  test("keeps the time that a retry is shown to wait for", () => {
    const { verification: failed } = read({ outcome: "unresolvable" });
    const shown = { ...old, ...failed, nextRunAt: NOW + DAY, waitUntil: NOW + DAY };
    const at = NOW - 100 + 120_000;
    expect(afterWaitingNoted(shown, NOW, 0.5)).toMatchObject({ nextRunAt: at, waitUntil: at });
  });
});
