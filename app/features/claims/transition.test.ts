import type { Decision } from "@deed/dns/verdict/diagnosis.ts";
import { describe, expect, test } from "vitest";
import {
  type ClaimRow,
  nextNotice,
  transition,
  type VerificationRow,
  WINDOW_MS,
} from "./transition.ts";

const OPENED = 1_000_000_000_000;
const NOW = OPENED + 60_000;
const DAY = 86_400_000;

const claim: ClaimRow = {
  id: "clm_1",
  accountId: "acc_1",
  domainId: "dom_1",
  name: "acme.com",
  reference: "",
  state: "pending",
  token: "service_v1_0",
  challengeLabel: "_service-challenge",
  provider: null,
  nameservers: null,
  createdAt: OPENED,
  expiresAt: OPENED + WINDOW_MS,
  endedAt: null,
  provedAt: null,
  nextNoticeAt: OPENED + DAY,
};

const verification: VerificationRow = {
  id: "ver_1",
  claimId: claim.id,
  accountId: claim.accountId,
  status: "checking",
  lastOutcome: null,
  diagnosis: null,
  waitReason: "first_check",
  waitObserved: null,
  waitUntil: OPENED + 30_000,
  lastRunAt: null,
  nextRunAt: OPENED + 30_000,
  deadline: claim.expiresAt,
  createdAt: OPENED,
  runId: "att_1",
  runUntil: NOW + 1,
  zone: null,
  provider: null,
  firstSerial: null,
  partialSince: null,
  resolversDue: null,
  secondReadAt: null,
  serials: null,
  seen: null,
  failures: 0,
  fastUntil: null,
  fastDay: null,
  fastCount: 0,
};

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

const read = (decision: Decision, some: Partial<VerificationRow> = {}, forced = false) =>
  transition(
    { ...verification, ...some },
    claim,
    {
      type: "read",
      decision,
      progress: { zone: "acme.com", provider: "vercel", firstSerial: 7, partialSince: null },
      startedAt: NOW - 100,
      endedAt: NOW,
      forced,
    },
    NOW,
    0.5,
  );

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
    const startedAt = OPENED - DAY;
    const read = { startedAt, endedAt: startedAt + 50, forced: false, progress: {} };
    const decision = { outcome: "found" } as const;
    const { claim: moved } = transition(
      verification,
      claim,
      { type: "read", decision, ...read },
      startedAt + 60,
      0.5,
    );
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
      nextRunAt: NOW + 603_000,
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

  test("with nameservers that synchronise: propagating", () => {
    expect(read(syncing).verification).toMatchObject({
      status: "propagating",
      waitReason: "nameserver_sync",
      nextRunAt: NOW + 60_000,
    });
  });

  test("that failed on our side before any reached DNS: checking, retry until the next", () => {
    expect(read({ outcome: "unresolvable" }).verification).toEqual({
      ...free,
      lastOutcome: "unresolvable",
      lastRunAt: NOW - 100,
      failures: 1,
      waitReason: "retry",
      nextRunAt: NOW + 120_000,
      waitUntil: NOW + 120_000,
    });
  });

  test("that failed later: only the interval changes", () => {
    const before = { ...read(cname).verification, nextRunAt: NOW };
    expect(read({ outcome: "unresolvable" }, before).verification).toEqual({
      ...free,
      lastOutcome: "unresolvable",
      lastRunAt: NOW - 100,
      failures: 1,
      nextRunAt: NOW + 120_000,
    });
  });

  test("that reached DNS again starts counting failures anew", () => {
    expect(read(cname, { failures: 3 }).verification).toMatchObject({
      failures: 0,
      nextRunAt: NOW + 60_000,
    });
  });

  test("that saw no delegation keeps what is known of the zone", () => {
    const known = { zone: "acme.com", provider: "route53" } as const;
    const { verification: after } = transition(
      { ...verification, ...known },
      claim,
      {
        type: "read",
        decision: cname,
        progress: { zone: null, provider: null },
        startedAt: NOW,
        endedAt: NOW,
        forced: false,
      },
      NOW,
      0.5,
    );
    expect(after).toMatchObject(known);
  });
});

test("a forced run never postpones a read", () => {
  const nextRunAt = NOW + 10_000;
  expect(read(cname, { nextRunAt }, true).verification.nextRunAt).toBe(nextRunAt);
  expect(read(remembered, { nextRunAt }, true).verification.nextRunAt).toBe(nextRunAt);
});

test("the deadline expires the claim at its deadline, whenever it was noticed", () => {
  const late = claim.expiresAt + 5 * DAY;
  expect(transition(verification, claim, { type: "deadline" }, late, 0)).toEqual({
    claim: { state: "expired", endedAt: claim.expiresAt, nextNoticeAt: null },
    verification: { ...free, status: "exhausted", nextRunAt: null },
  });
});

test("canceling stops the verification", () => {
  expect(transition(verification, claim, { type: "cancel" }, NOW, 0)).toEqual({
    claim: { state: "canceled", endedAt: NOW, nextNoticeAt: null },
    verification: { ...free, status: "stopped", nextRunAt: null },
  });
});

test("timed notices fall on days 1, 3 and 6", () => {
  const at = (days: number) => nextNotice(OPENED, OPENED + days * DAY);
  expect(at(0)).toBe(OPENED + DAY);
  expect(at(1)).toBe(OPENED + 3 * DAY);
  expect(at(4)).toBe(OPENED + 6 * DAY);
  expect(at(6)).toBeNull();
});
