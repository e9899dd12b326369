import { describe, expect, it } from "vitest";
import {
  AT,
  alias,
  HISTORY,
  NXDOMAIN,
  observation,
  SOA,
  servers,
  TOKEN,
  values,
  witnesses,
} from "./observation.fixture.ts";
import type { Observation, WitnessReading } from "./observation.ts";
import { nameserverSyncEnd, negativeCacheEnd, secondsRemaining, waitOf } from "./wait.ts";

const END = AT + 500;
const has = values(TOKEN);
/** A negative answer whose SOA has this many seconds left. */
const left = (ttl: number) => ({ ...NXDOMAIN, soa: { ...SOA, ttl } });
const old = (ttl: number) => ({ ...values("old"), ttl });

describe("negativeCacheEnd", () => {
  const seconds = (list: WitnessReading[], change: Partial<Observation> = {}) =>
    (negativeCacheEnd(observation({ witnesses: list, ...change })) - END) / 1000;

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

  it("is the end of the read where nobody says", () => {
    expect(seconds(bare, { soa: null })).toBe(0);
  });
});

describe("nameserverSyncEnd", () => {
  const seconds = (refresh: number | null, partialSince: number | null = null) => {
    const soa = refresh === null ? null : { ...SOA, refresh };
    return (nameserverSyncEnd(observation({ soa }), { ...HISTORY, partialSince }) - AT) / 1000;
  };

  it("is SOA refresh, one hour at most, after the first partial read", () => {
    expect(seconds(600)).toBe(600);
    expect(seconds(7200)).toBe(3600);
    expect(seconds(null)).toBe(3600);
    expect(seconds(600, AT - 100_000)).toBe(500);
  });
});

describe("waitOf", () => {
  it("tells the two waits apart, and neither from a proof", () => {
    expect(waitOf(observation({ servers: servers(has, NXDOMAIN) }), HISTORY)?.reason).toBe(
      "nameserver_sync",
    );
    expect(waitOf(observation({ witnesses: witnesses(left(9)) }), HISTORY)).toEqual({
      reason: "negative_cache",
      until: END + 9000,
    });
    expect(waitOf(observation(), HISTORY)).toBe(null);
  });

  it("ends the sync wait at its very moment", () => {
    const read = observation({ servers: servers(has, NXDOMAIN), soa: { ...SOA, refresh: 60 } });
    const since = (partialSince: number) => waitOf(read, { ...HISTORY, partialSince });
    expect(since(AT - 59_999)).toEqual({ reason: "nameserver_sync", until: AT + 1 });
    expect(since(AT - 60_000)).toBe(null);
  });
});

describe("secondsRemaining", () => {
  it("counts down in whole seconds and stops at 0", () => {
    expect([10_000, 9_001, 9_000, 1, 0, -5].map((until) => secondsRemaining(until, 0))).toEqual([
      10, 10, 9, 1, 0, 0,
    ]);
  });
});
