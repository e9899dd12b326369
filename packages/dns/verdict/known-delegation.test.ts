import { expect, it } from "vitest";
import {
  AT,
  HISTORY,
  NXDOMAIN,
  observation,
  server,
  TOKEN,
  values,
  witnesses,
} from "../testing/observations.ts";
import { decide } from "../testing/verdicts.ts";
import { knownAfter, oldDelegationEnd } from "./known-delegation.ts";
import type { KnownDelegation, Observation, WitnessReading } from "./observation.ts";

const TTL = 172_800;
const NOW = ["ns1.dns.test", "ns2.dns.test"];
const same: KnownDelegation = { listing: NOW, ttl: 3_600, until: 0 };
const other: KnownDelegation = { ...same, listing: ["ns1.old.test"] };
/** All resolvers fail in this way. */
const failing = (more: Partial<WitnessReading>, change: Partial<Observation> = {}) =>
  observation({
    witnesses: witnesses("servfail", "servfail", "servfail").map((one) => ({ ...one, ...more })),
    ...change,
  });
const inTheZone = observation({
  delegation: {
    type: "delegated",
    zone: "acme.com",
    parent: "com",
    nameservers: ["ns.acme.com"],
    ttl: TTL,
  },
  servers: [
    {
      host: "ns.acme.com",
      address: "192.0.2.7",
      result: "answered",
      answer: values(TOKEN),
      latencyMs: 1,
    },
  ],
});

it.each<[string, Observation, KnownDelegation | null, number]>([
  ["a first read", observation(), null, 0],
  ["the delegation as before", observation(), same, 0],
  ["another than before, for the TTL of that", observation(), other, 3_600],
  ["another TTL of a registry than two days", observation(), { ...other, ttl: 999_999 }, TTL],
  [
    "the address of a nameserver in the zone",
    inTheZone,
    { ...same, listing: ["ns.acme.com", "192.0.2.6"] },
    3_600,
  ],
  ["resolvers that list other nameservers", failing({ nameservers: ["ns1.old.test"] }), null, TTL],
  ["resolvers that list these", failing({ nameservers: NOW }), null, 0],
  ["resolvers that have DS records of an unsigned zone", failing({ dsTtl: 900 }), null, 900],
])("resolvers may hold an older delegation after %s", (_, seen, known, seconds) => {
  const { until } = knownAfter(seen, known) ?? {};
  expect(until).toBe(seconds === 0 ? 0 : AT + seconds * 1_000);
});

it("an end stays, and is over once", () => {
  const ended = { ...same, until: AT - 1 };
  const seen = failing({ nameservers: ["ns1.old.test"] });
  expect(knownAfter(seen, ended)).toMatchObject({ until: AT - 1 });
  expect(oldDelegationEnd({ ...seen, known: ended })).toBeNull();
  expect(oldDelegationEnd({ ...seen, known: { ...same, until: AT + 1 } })).toBe(AT + 1);
});

const OLD = ["ns1.old.test"];
const listing = (change: Partial<Observation> = {}) =>
  observation({
    witnesses: witnesses(NXDOMAIN, NXDOMAIN, NXDOMAIN).map((one) => ({ ...one, nameservers: OLD })),
    named: [server("ns1.old.test", NXDOMAIN)],
    ...change,
  });
it.each<[string, Observation, object]>([
  [
    "the missing record of a server that left",
    listing({ known: { ...other, until: AT + 1 } }),
    { code: "negative_cache", observed: { held: "delegation", secondsRemaining: 0 } },
  ],
  [
    "the silence of one",
    listing({ named: [server("ns1.old.test", "timeout")], known: { ...other, until: AT + 1 } }),
    { code: "negative_cache", observed: { held: "delegation" } },
  ],
  [
    "a server that the zone lists itself",
    listing({ known: { ...other, until: AT + 1 }, unlisted: [server("ns1.old.test", NXDOMAIN)] }),
    { code: "not_published", observed: { elsewhere: { type: "listed" } } },
  ],
  [
    "a server of before, once that is over",
    listing({ known: { ...other, until: AT - 1 } }),
    { code: "not_published" },
  ],
])("resolvers that go by %s", (_, seen, diagnosis) => {
  expect(decide(seen, HISTORY)).toMatchObject({ outcome: "absent", diagnosis });
});

it("a read without a delegation keeps what is known", () => {
  const seen = observation({ delegation: { type: "none", parent: "com", rcode: "NXDOMAIN" } });
  expect(knownAfter(seen, other)).toBe(other);
});
