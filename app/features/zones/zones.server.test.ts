import type { ZoneReading } from "@deed/dns/resolve/reader.ts";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { NOON, stay, testService } from "#app/core/testing/service.ts";
import { iso } from "#app/core/time.ts";
import { MAX_PUBLIC_READS } from "./shared-reads.ts";
import { lookUpZone } from "./zones.server.ts";

const reading = (at: number, some: { ttl?: number } = {}): ZoneReading => ({
  type: "read",
  zone: "acme.com",
  nameservers: ["ada.ns.cloudflare.com", "bob.ns.cloudflare.com"],
  ttl: 600,
  negativeTtl: 300,
  at,
  ...some,
});

function counted(some: { ttl?: number } = {}) {
  const service = testService();
  const reads: string[] = [];
  service.seeZone = async (name) => {
    reads.push(name);
    return reading(service.now, some);
  };
  const read = (name = "acme.com", signal = stay) =>
    lookUpZone(service.ctx, "client", name, signal);
  return { service, reads, read };
}

test("C11.3, C11.5, C11.9, C11.10: both frames, with the name as asked and as read", async () => {
  const { read } = counted();
  const name = "https://WWW.acme.com/";
  const normalisations = ["scheme_removed", "path_removed", "lowercased", "www_removed"];
  const domain = { ascii: "acme.com", unicode: "acme.com", normalisations, isPublicSuffix: false };
  const nameservers = ["ada.ns.cloudflare.com", "bob.ns.cloudflare.com"];
  const seen = { nameservers, provider: "cloudflare", observedAt: iso(NOON), cached: false };
  expect(await read(name)).toEqual({
    zone: "acme.com",
    delegation: { step: "delegation", name, domain, ...seen },
    publishing: { step: "publishing", publishingMinutes: 2, negativeCacheTtlSeconds: 300 },
  });
});

describe("C11.6, C11.11: the cache", () => {
  test("answers within the NS TTL, says so, and keeps the moment of the read", async () => {
    const { service, reads, read } = counted();
    await read();
    service.now += 599_999;
    const again = { cached: true, observedAt: iso(NOON), name: "ACME.com" };
    expect((await read("ACME.com")).delegation).toMatchObject(again);
    service.now += 1;
    expect([(await read()).delegation.cached, reads.length]).toEqual([false, 2]);
  });

  test("keeps nothing longer than an hour, and nothing that has no time to live", async () => {
    const long = counted({ ttl: 86_400 });
    await long.read();
    long.service.now += 3_600_000;
    expect((await long.read()).delegation.cached).toBe(false);
    const none = counted({ ttl: 0 });
    await none.read();
    expect((await none.read()).delegation.cached).toBe(false);
  });

  test("is bounded: the one used longest ago goes first", async () => {
    const { reads, read } = counted();
    await read("first.example");
    for (let i = 0; i < 999; i++) await read(`n${i}.example`);
    await read("first.example");
    await read("one-more.example");
    expect(reads).toHaveLength(1_001);
    expect((await read("first.example")).delegation.cached).toBe(true);
    expect((await read("n0.example")).delegation.cached).toBe(false);
  });

  test.each(["no_delegation", "unresolvable"] as const)(
    "%s is an error, not kept",
    async (type) => {
      const { service, read } = counted();
      service.seeZone = async () => ({ type });
      await expect(read()).rejects.toMatchObject({ code: type });
      service.seeZone = async () => reading(service.now);
      expect((await read()).delegation.cached).toBe(false);
    },
  );
});

// C11.7, C11.12
function slow() {
  const service = testService();
  const signals: AbortSignal[] = [];
  let release = () => {};
  const going = new Promise<void>((resolve) => {
    release = resolve;
  });
  service.seeZone = (_, signal) => {
    signals.push(signal);
    return new Promise((resolve, reject) => {
      void going.then(() => resolve(reading(service.now)));
      signal.addEventListener("abort", () => reject(signal.reason));
    });
  };
  const read = (signal: AbortSignal) => lookUpZone(service.ctx, "client", "acme.com", signal);
  return { signals, read, release };
}

test("simultaneous askers: the read goes on until the last has left, then stops; a new asker starts anew, one who has left does not", async () => {
  const { signals, read, release } = slow();
  const [one, two] = [new AbortController(), new AbortController()];
  const first = read(one.signal);
  const second = read(two.signal);
  one.abort();
  await expect(first).rejects.toThrow();
  expect(signals[0]?.aborted).toBe(false);
  two.abort();
  await expect(second).rejects.toThrow();
  expect(signals[0]?.aborted).toBe(true);
  await expect(read(AbortSignal.abort())).rejects.toThrow();
  const third = read(stay);
  release();
  expect((await third).delegation.nameservers).toHaveLength(2);
  expect(signals).toHaveLength(2);
});

describe("places", () => {
  /** Reads that block until released, by name. */
  function standing() {
    const service = testService();
    const under = new Map<string, () => void>();
    service.seeZone = (name, signal) =>
      new Promise((resolve, reject) => {
        const end = () => under.delete(name);
        under.set(name, () => end() && resolve(reading(service.now)));
        signal.addEventListener("abort", () => end() && reject(signal.reason));
      });
    const read = (client: string, name: string, signal = stay) =>
      lookUpZone(service.ctx, client, name, signal);
    return { under, read };
  }
  const settled = () => vi.advanceTimersByTimeAsync(0);

  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test("past its share a client waits five seconds, then is told that it asks for too much", async () => {
    const { under, read } = standing();
    const many = Array.from({ length: 11 }, (_, i) => read("client", `n${i}.example`));
    await settled();
    expect(under.size).toBe(10);
    const tooMany = { code: "rate_limited", details: { retryAfter: 5, budget: "publicReads" } };
    const refused = expect(many[10]).rejects.toMatchObject(tooMany);
    await vi.advanceTimersByTimeAsync(5_000);
    await refused;
    expect(under.size).toBe(10);
    for (const release of under.values()) release();
    await Promise.all(many.slice(0, 10));
  });

  test("where others hold every one, a client hears after five seconds that the zone could not be read", async () => {
    const { under, read } = standing();
    const crowd = Array.from({ length: MAX_PUBLIC_READS }, (_, i) =>
      read(`client${i}`, `n${i}.example`),
    );
    await settled();
    expect(under.size).toBe(MAX_PUBLIC_READS);
    const other = read("other", "acme.com");
    const refused = expect(other).rejects.toMatchObject({ code: "unresolvable" });
    await vi.advanceTimersByTimeAsync(5_000);
    await refused;
    for (const release of under.values()) release();
    await Promise.all(crowd);
  });

  test("a name that waits in one client's line is read for another at once, and once for both", async () => {
    const { under, read } = standing();
    const many = Array.from({ length: 11 }, (_, i) => read("client", `n${i}.example`));
    await settled();
    expect(under.has("n10.example")).toBe(false);
    const other = read("other", "n10.example");
    await settled();
    const release = [...under.values()];
    release[0]?.();
    await settled();
    expect(under.size).toBe(10);
    for (const end of release) end();
    expect((await other).delegation.cached).toBe(false);
    await Promise.all(many);
    expect(under.size).toBe(0);
  });
});
