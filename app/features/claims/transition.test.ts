import type { Decision } from "@deed/dns/verdict/diagnosis.ts";
import { describe, expect, test } from "vitest";
import { claimed, testService } from "#app/core/testing/service.ts";
import { rowsOfVerification } from "./outcome.server.ts";
import { afterRead, afterView, nextNotice, type Read, type VerificationRow } from "./transition.ts";

const OPENED = 1_000_000_000_000;
const NOW = OPENED + 60_000;
const DAY = 86_400_000;

const service = testService();
service.now = OPENED;
const opened = await claimed(service);
const rows = rowsOfVerification(service.ctx.db).get({ id: opened.claim.verificationId });
if (!rows) throw new Error("no verification");
const { verification } = rows;

const cname: Decision = {
  outcome: "absent",
  diagnosis: { code: "cname_conflict", awaits: "claimant", observed: { target: "a.example" } },
  wait: null,
};
const remembered: Decision = {
  outcome: "absent",
  diagnosis: {
    code: "negative_cache",
    awaits: "resolvers",
    observed: { secondsRemaining: 600 },
  },
  wait: { reason: "negative_cache", until: NOW + 600_000 },
};
const syncing: Decision = {
  outcome: "absent",
  diagnosis: null,
  wait: { reason: "nameserver_sync", until: NOW + 1_800_000 },
};

const read = (
  decision: Decision,
  some: Partial<VerificationRow> = {},
  change: Partial<Read> = {},
) => {
  const progress = {
    zone: "acme.com",
    provider: "vercel",
    firstSerial: 7,
    partialSince: null,
  } as const;
  const seen = { decision, progress, startedAt: NOW - 100, endedAt: NOW } as const;
  return afterRead({ ...verification, ...some }, { ...seen, forced: false, ...change }, 0.5);
};

const free = { runId: null, runUntil: null };

// C6.4, C6.8, C6.9
describe("a read", () => {
  test("that found: proved, dated by its end, nothing left to run", () => {
    const move = read({ outcome: "found" });
    expect(move.claim).toEqual({
      state: "proved",
      endedAt: NOW,
      provider: "vercel",
      nextNoticeAt: null,
    });
    expect(move.verification).toMatchObject({
      ...free,
      status: "proved",
      diagnosis: null,
      waitReason: null,
      nextRunAt: null,
      lastRunAt: NOW - 100,
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
      status: "propagating",
      diagnosis: null,
      waitReason: "negative_cache",
      waitUntil: NOW + 600_000,
      nextRunAt: NOW + 600_750,
    });
  });

  test("with nameservers that are awaited: kept with the wait, and gone with it", () => {
    const observed = {
      nameservers: [],
      publishedOn: ["ns1.test"],
      noAnswer: [{ host: "ns2.test", result: "timeout" as const }],
    };
    const wait = { reason: "nameserver_sync" as const, until: NOW + 1_800_000, observed };
    const { verification: waiting } = read({ ...syncing, wait });
    expect(JSON.parse(waiting.waitObserved ?? "")).toEqual(observed);
    expect(read(cname, waiting).verification.waitObserved).toBe(null);
    expect(read(remembered, waiting).verification.waitObserved).toBe(null);
  });

  test("that failed on our side before any reached DNS: checking, retry until the next", () => {
    expect(read({ outcome: "unresolvable" }).verification).toEqual({
      ...free,
      lastOutcome: "unresolvable",
      lastRunAt: NOW - 100,
      failures: 1,
      waitReason: "retry",
      nextRunAt: NOW + 30_000,
      waitUntil: NOW + 30_000,
    });
  });

  test("that failed later: only the interval changes", () => {
    const before = { ...read(cname).verification, nextRunAt: NOW };
    expect(read({ outcome: "unresolvable" }, before).verification).toEqual({
      ...free,
      lastOutcome: "unresolvable",
      lastRunAt: NOW - 100,
      failures: 1,
      nextRunAt: NOW + 30_000,
    });
  });

  test("that reached DNS again starts counting failures anew", () => {
    expect(read(cname, { failures: 3 }).verification).toMatchObject({
      failures: 0,
      nextRunAt: NOW + 15_000,
    });
  });

  test("that saw no delegation keeps what is known of the zone", () => {
    const known = { zone: "acme.com", provider: "route53" } as const;
    const progress = { zone: null, provider: null };
    const { verification: after } = read(cname, known, { progress });
    expect(after).toMatchObject(known);
  });
});

test("a forced run never postpones a read", () => {
  const nextRunAt = NOW + 10_000;
  expect(read(cname, { nextRunAt }, { forced: true }).verification.nextRunAt).toBe(nextRunAt);
  expect(read(remembered, { nextRunAt }, { forced: true }).verification.nextRunAt).toBe(nextRunAt);
});

// C9.5
describe("a page of the claim in view", () => {
  const old = { ...verification, ...read(cname).verification, createdAt: OPENED - DAY };

  test("brings the next read forward, not one during a wait", () => {
    const hourly = { ...old, nextRunAt: NOW + 3_600_000 };
    expect(afterView(hourly, NOW, 0.5)).toMatchObject({ nextRunAt: NOW + 15_000 });
    expect(afterView({ ...old, nextRunAt: NOW + 5_000 }, NOW, 0.5)?.nextRunAt).toBe(NOW + 5_000);
    const waiting = { ...hourly, waitReason: "negative_cache", waitUntil: NOW + 600_000 } as const;
    expect(afterView(waiting, NOW, 0.5)?.nextRunAt).toBe(NOW + 600_750);
  });

  test("changes nothing before the first read, nor after the end", () => {
    expect(afterView({ ...old, lastRunAt: null }, NOW, 0.5)).toBeNull();
    expect(afterView({ ...old, nextRunAt: null }, NOW, 0.5)).toBeNull();
  });

  test("keeps the time that a retry is shown to wait for", () => {
    const { verification: failed } = read({ outcome: "unresolvable" });
    const shown = { ...old, ...failed, nextRunAt: NOW + DAY, waitUntil: NOW + DAY };
    const after = afterView(shown, NOW, 0.5);
    expect(after).toMatchObject({ nextRunAt: NOW + 30_000, waitUntil: NOW + 30_000 });
  });
});

test("timed notices fall on days 1, 3 and 6", () => {
  const at = (days: number) => nextNotice(OPENED, OPENED + days * DAY);
  expect(at(0)).toBe(OPENED + DAY);
  expect(at(1)).toBe(OPENED + 3 * DAY);
  expect(at(4)).toBe(OPENED + 6 * DAY);
  expect(at(6)).toBeNull();
});
