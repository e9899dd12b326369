import { describe, expect, it } from "vitest";
import {
  AT,
  absence,
  by,
  HISTORY,
  NXDOMAIN,
  observation,
  on,
  SERIAL,
  SOA,
  server,
  servers,
  TOKEN,
  values,
  witnesses,
} from "../testing/observations.ts";
import { decide, progressOf } from "../testing/verdicts.ts";
import type { History } from "./history.ts";
import type { Failure, Observation, TxtAnswer, WitnessReading } from "./observation.ts";

const has = values(TOKEN);
const AT_ZONE = { zone: "acme.com", name: "acme.com", records: "DNSKEY" };
const BOGUS: Observation["validation"] = {
  verdict: "bogus",
  reason: { type: "signatures_missing", ...AT_ZONE },
};
const NOT_READ: Observation["validation"] = {
  verdict: "indeterminate",
  reason: { type: "not_read", ...AT_ZONE },
};
/** The outcome, or the codes of diagnosis and wait. */
const sum = (read: Observation, history: History = HISTORY) => {
  const decision = decide(read, history);
  if (decision.outcome !== "absent") return decision.outcome;
  const { diagnosis, wait } = decision;
  return [diagnosis?.code, wait?.reason && `awaiting ${wait.reason}`].filter(Boolean).join(", ");
};
/** All three witnesses have the token, changed like this. */
const having = (change: Partial<WitnessReading>) => ({
  witnesses: witnesses(has, has, has).map((one) => ({ ...one, ...change })),
});
const ONE_VALIDATES = {
  witnesses: witnesses(has, has, NXDOMAIN).map((one, at) => ({ ...one, ad: at === 0 })),
};
const UNCONFIRMED = { host: "ns1.dns.test", address: "192.0.2.1", confirmed: false };
const DIFFERING = { ...UNCONFIRMED, differs: true } as const;
const NONE = { type: "none", parent: "com", rcode: "NXDOMAIN" } as const;
const VANITY = having({ nameservers: ["vanity.test"] });
const HALF = on(has, "timeout");
const SECURE = { verdict: "secure" } as const;
const LACKING = server("vanity.test", NXDOMAIN);
const UNNAMED = {
  unlisted: [server("own.test", "no_address")],
  named: [server("vanity.test", "no_address")],
};
const WAITING = "awaiting nameserver_sync";
const CACHED = "negative_cache, awaiting negative_cache";

/** Witnesses that have the token and know these nameservers of dns.test. */
const knowing = (...known: (string[] | null)[]) =>
  witnesses(...known.map(() => has)).map((witness, index) => ({
    ...witness,
    nameservers: known[index]?.map((host) => `${host}.dns.test`) ?? null,
  }));

const UNLIKE = [...knowing(["ns1"], []), ...witnesses(NXDOMAIN)];

// C7.15, C7.20, C8.2, C8.3, C8.4, C8.6, C8.7, C8.11
describe("what proves a claim", () => {
  it.each<[string, Partial<Observation>]>([
    ["one record of several", on(values("spf", TOKEN, "x"), values(TOKEN))],
    ["two of three witnesses", by(has, has, NXDOMAIN)],
    ["all witnesses, that agree on no list", { witnesses: knowing(["ns1"], ["x"], ["ns2"]) }],
    ["all witnesses, that give no list", { witnesses: knowing(["ns1"], [], null) }],
    ["other names of the same machines", { named: [server("vanity.test", has)], ...VANITY }],
    ["a silent nameserver, for a signed record", { ...HALF, validation: SECURE }],
    ["what two of three witnesses validated", { validation: NOT_READ, ...by(has, has, NXDOMAIN) }],
  ])("takes %s", (_, change) => {
    expect(decide(observation(change), HISTORY)).toEqual({ outcome: "found" });
  });

  it.each<[string, Partial<Observation>, string]>([
    ["one has another text", { ...on(has, values("v=spf1")), witnesses: null }, WAITING],
    ["fewer than half answered", on(has, "timeout", "timeout"), WAITING],
    ["TCP did not confirm it", { confirmation: UNCONFIRMED }, "unresolvable"],
    ["the name does not exist all the same", on({ ...has, rcode: "NXDOMAIN" }), "record_absent"],
    ["the witnesses were not asked", { witnesses: null }, "unresolvable"],
    ["they agree on no list of nameservers, and one lacks it", { witnesses: UNLIKE }, CACHED],
    ["one of two is silent, one witness lacks it", { ...HALF, ...by(has, has, NXDOMAIN) }, CACHED],
    ["one of two is silent, and there is no witness", { ...HALF, witnesses: [] }, WAITING],
    ["a nameserver that they list lacks it", { named: [LACKING], ...VANITY }, "not_published"],
    ["our own validation finds a fault", { validation: BOGUS }, "servfail"],
    ["one witness validates it", { validation: NOT_READ, ...ONE_VALIDATES }, "unresolvable"],
    ["no witness validates it", { validation: NOT_READ, ...having({ ad: false }) }, "unresolvable"],
    ["one server gives it over UDP and not over TCP", { confirmation: DIFFERING }, WAITING],
    ["one witness of three", by(has, NXDOMAIN, NXDOMAIN), CACHED],
    ["most witnesses refuse", by(has, "refused", "malformed"), "unresolvable"],
    ["they know a server that the zone does not name", { ...UNNAMED, ...VANITY }, "unresolvable"],
  ])("does not take it where %s", (_, change, expected) => {
    expect(sum(observation(change))).toBe(expected);
  });
});

describe("C8.10: a nameserver that stayed unanswered", () => {
  const silent = observation(on(has, "timeout"));
  const first = { ...HISTORY, chance: 0.5 };

  it("takes two reads, the second at a moment between one and five minutes after the first", () => {
    const ends = AT + silent.durationMs;
    for (const chance of [0, 0.5, 1])
      expect(progressOf(silent, { ...HISTORY, chance }).secondReadAt).toBe(
        ends + (1 + 4 * chance) * 60_000,
      );
    const { secondReadAt, waitUntil } = progressOf(silent, first);
    const history = { ...first, secondReadAt, waitUntil };
    const at = (instant: number) => ({ ...silent, at: instant });
    expect(decide(silent, first)).toMatchObject({
      wait: {
        reason: "nameserver_sync",
        until: ends + 300_000,
        observed: { publishedOn: ["ns1.dns.test"], noAnswer: [{ host: "ns2.dns.test" }] },
      },
    });
    // A read in between, for example a forced one, changes nothing.
    expect(decide(at((secondReadAt ?? 0) - 1), history)).toMatchObject({
      outcome: "absent",
      wait: { until: waitUntil },
    });
    const between = { ...history, chance: 0.9 };
    expect(progressOf(at(AT + 90_000), between)).toMatchObject({ secondReadAt, waitUntil });
    expect(decide(at(secondReadAt ?? 0), history)).toEqual({ outcome: "found" });
  });

  it.each<[string, Partial<Observation>]>([
    ["the record is gone", on(NXDOMAIN, "timeout")],
    ["another nameserver is silent too", on("timeout", "timeout")],
    ["a witness lost it", by(has, has, NXDOMAIN)],
  ])("begins again if in between %s", (_, change) => {
    const history = { ...first, secondReadAt: AT };
    expect(progressOf({ ...silent, ...change }, history).secondReadAt).toBeNull();
  });
});

it("names a server that denies over TCP what it gives over UDP, and the others as having it", () => {
  expect(decide(observation({ confirmation: DIFFERING }), HISTORY)).toMatchObject({
    wait: { observed: { nameservers: ["ns1.dns.test"], publishedOn: ["ns2.dns.test"] } },
  });
});

describe("a read stopped by our own limits", () => {
  const FIRST = servers(has);
  const SILENT = server("ns1.dns.test", "timeout");
  const unasked = { ...server("ns2.dns.test", "timeout"), address: null };
  const ABSENT = { ...on(NXDOMAIN, NXDOMAIN), witnesses: null };

  it.each<[string, Partial<Observation>, string]>([
    ["before any answered", { servers: [SILENT, unasked], limit: "packets" }, "unresolvable"],
    ["before one that resolvers list", { named: [unasked], limit: "packets" }, "unresolvable"],
    ["after all had their time", { ...on("timeout"), limit: "deadline" }, "lame_delegation"],
    ["with names that had no address, and no limit", { servers: [unasked] }, "lame_delegation"],
    ["once the token was not there", { ...ABSENT, limit: "deadline" }, "record_absent"],
    ["before the witnesses", { limit: "deadline", witnesses: null }, "unresolvable"],
    ["before one of two", { servers: [...FIRST, unasked], limit: "packets" }, "unresolvable"],
  ])("%s", (_, change, expected) => {
    expect(sum(observation(change))).toBe(expected);
  });

  it("says nothing of nameservers beyond its limit", () => {
    const read = absence(["timeout"]);
    if (read.delegation.type !== "delegated") throw new Error("a delegated zone");
    const delegation = { ...read.delegation, nameservers: ["ns1.dns.test", "ns2.dns.test"] };
    expect(sum({ ...read, delegation })).toBe("unresolvable");
  });
});

it("awaits the provider once a partial publication has outlasted its wait", () => {
  const partial = observation({ ...on(has, NXDOMAIN, "timeout"), witnesses: null });
  expect(sum(partial, { ...HISTORY, partialSince: AT - 3_599_000 })).toBe(WAITING);
  const [publishedOn, nameservers] = [["ns1.dns.test"], ["ns2.dns.test"]];
  const noAnswer = [{ host: "ns3.dns.test", result: "timeout" }];
  const observed = { nameservers, publishedOn, serial: SERIAL, noAnswer };
  expect(decide(partial, { ...HISTORY, partialSince: AT - 3_600_000 })).toEqual({
    outcome: "absent",
    wait: null,
    diagnosis: { code: "not_published", awaits: "provider", observed },
  });
});

describe("C8.5: a server that refers elsewhere while others do not", () => {
  const [NS1, NS2, NS3] = ["ns1.dns.test", "ns2.dns.test", "ns3.dns.test"] as const;
  const strays = [{ host: NS2, zone: "shop.acme.com", nameservers: ["ns.stranger.test"] }];
  const referring = (...results: (TxtAnswer | Failure)[]) =>
    observation({ ...on(...results), strays, witnesses: null });
  const outlasted = { ...HISTORY, partialSince: 0 };
  const notPublished = (nameservers: string[], publishedOn: string[]) => {
    const observed = { nameservers, publishedOn, serial: SERIAL };
    return { wait: null, diagnosis: { code: "not_published", awaits: "provider", observed } };
  };

  it.each<[string, (TxtAnswer | Failure)[], string[], string[]]>([
    ["without the token", [NXDOMAIN, "not_authoritative"], [NS1], []],
    ["with another text", [values("spf"), "not_authoritative"], [NS1], []],
    ["with the token", [has, "not_authoritative", has], [NS2], [NS1, NS3]],
    ["with and without", [has, "not_authoritative", NXDOMAIN], [NS3], [NS1]],
    ["dead", ["timeout", "not_authoritative"], [NS2], []],
  ])("waits, then is not published: the others %s", (_, results, lacking, carrying) => {
    expect(sum(referring(...results))).toBe(WAITING);
    expect(decide(referring(...results), outlasted)).toMatchObject(notPublished(lacking, carrying));
    expect(progressOf(referring(...results), HISTORY).partialSince).toBe(AT);
  });
});

describe("progressOf", () => {
  const UNREACHABLE = { type: "unreachable", zone: "com" } as const;
  const known = { ...HISTORY, firstSerial: 7, partialSince: 1000 };

  it("keeps the first serial seen", () => {
    expect(progressOf(observation(), HISTORY).firstSerial).toBe(SERIAL);
    expect(progressOf(observation(), known).firstSerial).toBe(7);
    expect(progressOf(observation({ soa: null }), HISTORY).firstSerial).toBe(null);
  });

  it.each<[string, Partial<Observation>, History, number | null]>([
    ["begins with a partial read", on(has, NXDOMAIN), HISTORY, AT],
    ["lasts through further ones", on(has, NXDOMAIN), known, 1000],
    ["lasts while all have it", {}, known, 1000],
    ["lasts through a failed read", { delegation: UNREACHABLE }, known, 1000],
    ["lasts through silence", on("timeout"), known, 1000],
    ["ends once no nameserver has it", on(NXDOMAIN, NXDOMAIN), known, null],
    ["does not begin with a full one", {}, HISTORY, null],
  ])("partialSince %s", (_, change, history, expected) => {
    expect(progressOf(observation(change), history).partialSince).toBe(expected);
  });

  const delegated = (zone: string, ...nameservers: string[]) =>
    ({ type: "delegated", zone, parent: SOA.zone, nameservers, ttl: 300 }) as const;
  const { challengeName } = observation();
  it.each<[string, Observation["delegation"], zone: string | null, provider: string | null]>([
    ["of the delegation", delegated("x.test", "ns-1.awsdns-01.com"), "x.test", "route53"],
    ["above one with the token", delegated(challengeName, `${TOKEN}.x`), SOA.zone, "other"],
    ["without one", NONE, null, null],
  ])("names zone and provider %s", (_, delegation, zone, provider) => {
    expect(progressOf(observation({ delegation }), HISTORY)).toMatchObject({ zone, provider });
  });
});
