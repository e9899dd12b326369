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
import { nextKnown, oldDelegationEnd } from "./known-delegation.ts";
import type { KnownDelegation, Observation, WitnessReading } from "./observation.ts";

const TTL = 172_800;
const NOW = ["ns1.dns.test", "ns2.dns.test"];
const same: KnownDelegation = { listing: NOW, ttl: 3_600, until: 0 };
const other: KnownDelegation = { ...same, listing: ["ns1.old.test"] };
const elsewhere: KnownDelegation = { ...same, listing: ["ns.acme.com", "192.0.2.6"] };
/** All resolvers fail in this way. */
const failing = (more: Partial<WitnessReading>, change: Partial<Observation> = {}) =>
  observation({
    witnesses: witnesses("servfail", "servfail", "servfail").map((one) => ({ ...one, ...more })),
    ...change,
  });
const inTheZone = observation({ servers: [server("ns.acme.com", values(TOKEN))] });

it.each<[string, Observation, KnownDelegation | null, number]>([
  ["a first read", observation(), null, 0],
  ["the delegation as before", observation(), same, 0],
  ["another than before, for the TTL of that", observation(), other, 3_600],
  ["another TTL of a registry than two days", observation(), { ...other, ttl: 999_999 }, TTL],
  ["another address of a server in the zone", inTheZone, elsewhere, 3_600],
  ["resolvers that list other nameservers", failing({ nameservers: ["ns1.old.test"] }), null, TTL],
  ["resolvers that list these", failing({ nameservers: NOW }), null, 0],
  ["resolvers that have DS records of an unsigned zone", failing({ dsTtl: 900 }), null, 900],
])("resolvers may hold an older delegation after %s", (_, seen, known, seconds) => {
  const { until } = nextKnown(seen, known) ?? {};
  expect(until).toBe(seconds === 0 ? 0 : AT + seconds * 1_000);
});

it("an end stays, and is over once", () => {
  const ended = { ...same, until: AT - 1 };
  const seen = failing({ nameservers: ["ns1.old.test"] });
  expect(nextKnown(seen, ended)).toMatchObject({ until: AT - 1 });
  expect(oldDelegationEnd({ ...seen, known: ended })).toBeNull();
  expect(oldDelegationEnd({ ...seen, known: { ...same, until: AT + 1 } })).toBe(AT + 1);
});

const OLD = ["ns1.old.test"];
const LEFT = server("ns1.old.test", NXDOMAIN);
const MUTE = server("ns1.old.test", "timeout");
const LISTED = { elsewhere: { type: "listed" } };
const HELD = { held: "delegation", secondsRemaining: 0 };
it.each<[string, Partial<Observation>, code: string, observed?: object]>([
  ["the missing record of a server that left", {}, "negative_cache", HELD],
  ["the silence of one", { named: [MUTE] }, "negative_cache", { held: "delegation" }],
  ["a server that the zone lists itself", { unlisted: [LEFT] }, "not_published", LISTED],
  ["one of before, once that is over", { known: { ...other, until: AT - 1 } }, "not_published"],
])("resolvers that go by %s", (_, change, code, observed = {}) => {
  const list = witnesses(NXDOMAIN, NXDOMAIN, NXDOMAIN);
  const seen = observation({
    witnesses: list.map((one) => ({ ...one, nameservers: OLD })),
    ...{ named: [LEFT], known: { ...other, until: AT + 1 }, ...change },
  });
  const diagnosis = { code, observed };
  expect(decide(seen, HISTORY)).toMatchObject({ outcome: "absent", diagnosis });
});

it("a read without a delegation keeps what is known", () => {
  const seen = observation({ delegation: { type: "none", parent: "com", rcode: "NXDOMAIN" } });
  expect(nextKnown(seen, other)).toBe(other);
});
