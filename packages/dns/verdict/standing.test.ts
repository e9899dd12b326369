import { describe, expect, it } from "vitest";
import {
  AT,
  alias,
  by,
  HISTORY,
  NXDOMAIN,
  observation,
  on,
  SOA,
  server,
  TOKEN,
  values,
  witnesses,
} from "../testing/observations.ts";
import { absentAt, foundAt, partialAt, rememberedAt, unreachableAt } from "../testing/readings.ts";
import type { Observation, WitnessReading } from "./observation.ts";
import {
  findingOf,
  type KnownServers,
  nameserverSyncEnd,
  negativeCacheEnd,
  resolversDueFrom,
  secondsRemaining,
  standingOf,
} from "./standing.ts";

const END = AT + 500;
const has = values(TOKEN);
/** A negative answer; its SOA has this TTL left, in seconds. */
const left = (ttl: number) => ({ ...NXDOMAIN, soa: { ...SOA, ttl } });
const old = (ttl: number) => ({ ...values("old"), ttl });

describe("negativeCacheEnd", () => {
  const seconds = (list: WitnessReading[], change: Partial<Observation> = {}) =>
    (negativeCacheEnd(observation({ witnesses: list, ...change })).until - END) / 1000;

  it.each<[string, WitnessReading[], number]>([
    ["the only witness's own time", witnesses(left(120)), 120],
    ["the second of three to forget", witnesses(left(300), left(40), left(120)), 120],
    ["the first to forget where one has it", witnesses(left(300), has, left(40)), 40],
    ["the second of four where one has it", witnesses(left(1), has, left(2), left(3)), 2],
    ["past a witness that is silent", witnesses(left(300), left(40), "timeout"), 300],
    ["an old record's own time", witnesses(old(77), left(500), has), 77],
    ["no time at all where it runs out now", witnesses(left(0)), 0],
    ["no time at all for a record never kept", witnesses(old(0)), 0],
  ])("is %s", (_, list, expected) => {
    expect(seconds(list)).toBe(expected);
  });

  const bare = witnesses({ ...NXDOMAIN, soa: null });
  it("falls back on min(SOA TTL, MINIMUM) of the zone", () => {
    expect(seconds(bare)).toBe(300);
    expect(seconds(bare, { soa: { ...SOA, ttl: 60 } })).toBe(60);
    expect(seconds(witnesses(alias("old.test")))).toBe(300);
  });

  it("is the end of the read if nothing gives a TTL", () => {
    expect(seconds(bare, { soa: null })).toBe(0);
  });

  const tried = [{ resolver: "witness1", until: AT + 40_000 }];
  it.each([
    ["the turn of those not asked", [left(300), "unasked", "unasked"], AT + 40_000, 2],
    ["what was seen, if that decides", [left(300), left(200), "unasked"], END + 200_000, undefined],
  ] as const)("is %s", (_, outcomes, expected, unasked) => {
    const nameservers = ["ns1.dns.test"];
    const list = witnesses(...outcomes).map((one) => ({ ...one, nameservers }));
    const { until, ...then } = negativeCacheEnd(observation({ witnesses: list, tried }));
    expect([until, then.unasked]).toEqual([expected, unasked]);
  });

  it.each([
    ["new", { fresh: 10 }, [], 60],
    ["as old as it says", { fresh: 300 }, [], 9],
    ["not compared", {}, [], 9],
    ["given again", {}, [{ resolver: "witness1", until: 0, again: 1 }], 60],
  ])("is a minute at least for a new denial: one that is %s", (_, given, tried, expected) => {
    const list = witnesses(left(9)).map((one) => ({ ...one, ...given }));
    expect(seconds(list, { tried })).toBe(expected);
  });
});

it.each([
  ["SOA refresh after the first partial read", 600, null, 600],
  ["at most one hour", 7200, null, 3600],
  ["one hour without a refresh", undefined, null, 3600],
  ["counted from the first such read", 600, AT - 100_000, 500],
])("the end of a sync is %s", (_, refresh, partialSince, expected) => {
  const soa = refresh === undefined ? null : { ...SOA, refresh };
  const end = nameserverSyncEnd(observation({ soa }), { ...HISTORY, partialSince });
  expect((end - AT) / 1000).toBe(expected);
});

describe("the wait", () => {
  it("ends the sync wait to the millisecond", () => {
    const read = observation({ ...on(has, NXDOMAIN), soa: { ...SOA, refresh: 60 } });
    const since = (partialSince: number) => standingOf(read, { ...HISTORY, partialSince }).wait;
    expect(since(AT - 59_999)).toMatchObject({ reason: "nameserver_sync", until: AT + 1 });
    expect(since(AT - 60_000)).toBe(null);
  });

  it("names none if they disagree about a delegation", () => {
    const strays = [{ host: "ns2.dns.test", zone: "a.test", nameservers: ["ns.b.test"] }];
    const read = observation({ ...on(has, "not_authoritative"), strays });
    expect(standingOf(read, HISTORY).wait).not.toHaveProperty("observed");
  });
});

describe("when resolvers are due", () => {
  const due = (list: WitnessReading[], change: Partial<Observation> = {}) =>
    (resolversDueFrom(observation({ witnesses: list, ...change })) - END) / 1000;
  const elsewhere = (list: WitnessReading[]) =>
    list.map((one) => ({ ...one, nameservers: ["ns.old.test"] }));

  const WEEKS = { soa: { ...SOA, ttl: 1e6, minimum: 1e6 } };
  const unlike = elsewhere(witnesses(left(9), left(9)));
  it.each<[string, number, WitnessReading[], Partial<Observation>?]>([
    ["two negative TTLs of the zone", 600, witnesses(left(9), left(9), has)],
    ["twice what a resolver still has", 1800, witnesses(left(900), left(9), has)],
    ["twice the TTL of another record", 14_400, witnesses(old(7200), has, has)],
    ["six hours where the zone says weeks", 21_600, witnesses(left(9)), WEEKS],
    ["two days where a record says weeks", 172_800, witnesses(old(1e6))],
    ["two days where they know another delegation", 172_800, unlike],
    ["at once where nothing is kept", 0, witnesses({ ...NXDOMAIN, soa: null }), { soa: null }],
  ])("is %s", (_, expected, list, change) => {
    expect(due(list, change)).toBe(expected);
  });

  const stale = observation(by(left(9)));
  it("is kept from the first read until a nameserver lacks the record", () => {
    const first = standingOf(stale, HISTORY).resolversDue;
    expect(first).toBe(END + 600_000);
    const later = { ...stale, at: AT + 60_000 };
    const known = { ...HISTORY, resolversDue: first };
    expect(standingOf(later, known).resolversDue).toBe(first);
    const silent = observation(on("timeout", "timeout"));
    expect(standingOf(silent, known).resolversDue).toBe(first);
    for (const results of [[has, NXDOMAIN], [NXDOMAIN]])
      expect(standingOf(observation(on(...results)), known).resolversDue).toBe(null);
    expect(standingOf(observation(), HISTORY).resolversDue).toBe(null);
  });

  const denying = (...again: (number | undefined)[]) =>
    again.map((times, index) => ({
      resolver: `witness${index + 1}`,
      until: 0,
      ...(times && { again: times }),
    }));
  it.each([
    ["two were asked anew and denied it, in two reads", [left(9), left(9), has], [1, 2], AT],
    ["one was, and that does not decide", [left(9), left(9), has], [2], AT + 1],
    ["two were, in one read", [left(9), left(9), has], [1, 1], AT + 1],
    ["two were, and one has it now", [left(9), has, left(9)], [1, 2], AT + 1],
    ["one of those that remain was not asked", [left(9), left(9), "unasked"], [1, 2], AT],
  ] as const)("is now where %s: %j", (_, outcomes, again, expected) => {
    const list = witnesses(...outcomes).map((one) => ({ ...one, nameservers: ["ns1.dns.test"] }));
    const read = observation({ witnesses: list, tried: denying(...again) });
    expect(standingOf(read, { ...HISTORY, resolversDue: AT + 1 }).resolversDue).toBe(expected);
  });

  it("is later where a resolver asked since keeps an older answer", () => {
    const tried = [{ resolver: "witness1", until: AT }];
    const read = observation({ ...by(left(9_000)), tried });
    const { resolversDue } = standingOf(read, { ...HISTORY, resolversDue: AT + 1 });
    expect(resolversDue).toBe(END + 18_000_000);
  });

  it("ends the wait, and no wait exceeds it", () => {
    const at = (resolversDue: number) => standingOf(stale, { ...HISTORY, resolversDue }).wait;
    expect(at(AT + 1)).toEqual({ reason: "negative_cache", until: AT + 1 });
    expect(at(END + 60_000)).toEqual({ reason: "negative_cache", until: END + 9_000 });
    expect(at(AT)).toBe(null);
  });

  it("is never in the past at the first read that sees them lag", () => {
    const bare = { soa: null, durationMs: 0 };
    const read = observation({ ...by({ ...NXDOMAIN, soa: null }), ...bare });
    expect(standingOf(read, HISTORY).wait?.reason).toBe("negative_cache");
  });
});

it("secondsRemaining counts down in whole seconds and stops at 0", () => {
  expect([10_000, 9_001, 9_000, 1, 0, -5].map((until) => secondsRemaining(until, 0))).toEqual([
    10, 10, 9, 1, 0, 0,
  ]);
});

const question = { domain: "acme.com", label: "_c", token: "token" };
const NS2 = "ns2.example.net";
const NONE = { type: "none", parent: "com", rcode: "NXDOMAIN" } as const;
const KNOWN: KnownServers = { zone: "acme.com", nameservers: ["ns1.example.net", NS2] };
const ELSEWHERE = ["ns1.elsewhere.example"];

const seen = (see: typeof absentAt, changed: Partial<Observation> = {}) => ({
  ...see(question, 0),
  ...changed,
});
const delegatedTo = (nameservers: string[], zone = "acme.com"): Observation["delegation"] => ({
  type: "delegated",
  zone,
  parent: "com",
  nameservers,
  ttl: 60,
});
/** The first `silent` nameservers give no answer. */
const silent = (count: number) => {
  const servers = seen(absentAt).servers.map((one, at) =>
    at < count ? { ...one, result: "timeout" as const, answer: null } : one,
  );
  return seen(absentAt, { servers });
};

const foundElsewhere = seen(foundAt, {
  delegation: delegatedTo(ELSEWHERE),
  servers: [server("ns1.elsewhere.example", values("token"))],
  witnesses: (seen(foundAt).witnesses ?? []).map((one) => ({ ...one, nameservers: ELSEWHERE })),
});
const THREE = [...KNOWN.nameservers, "ns3.example.net"];
const elsewhere = (zone?: string) => ({ ...silent(2), delegation: delegatedTo(ELSEWHERE, zone) });

describe("C29.3: what a read says about a record that was found before", () => {
  it.each<[string, Observation, string]>([
    ["found again", seen(foundAt), "seen"],
    ["found again at other nameservers", foundElsewhere, "seen"],
    ["on no nameserver", seen(absentAt), "absent"],
    ["on no nameserver, and half are silent", silent(1), "absent"],
    ["on none of three, two silent", { ...silent(1), delegation: delegatedTo(THREE) }, "unread"],
    ["all nameservers are silent", silent(2), "unread"],
    ["on one nameserver of two", seen(partialAt), "unread"],
    ["on the nameservers alone, not at the resolvers", seen(rememberedAt), "unread"],
    ["a limit cut the read short", seen(absentAt, { limit: "packets" }), "unread"],
    ["the registry is silent", seen(unreachableAt), "unread"],
    ["no delegation", seen(unreachableAt, { delegation: NONE }), "gone"],
    ["other nameservers", seen(absentAt, { delegation: delegatedTo(ELSEWHERE) }), "moved"],
    ["one nameserver stayed", seen(absentAt, { delegation: delegatedTo([NS2]) }), "absent"],
    ["other nameservers, all silent", elsewhere(), "moved"],
    ["a silent zone above, whose cut is not seen", elsewhere("com"), "unread"],
  ])("%s", (_, observation, finding) => {
    expect(findingOf(observation, KNOWN)).toBe(finding);
  });

  it("calls nothing moved if it does not know where the record was", () => {
    const moved = seen(absentAt, { delegation: delegatedTo(ELSEWHERE) });
    expect(findingOf(moved, { zone: null, nameservers: [] })).toBe("absent");
  });
});
