import { describe, expect, it } from "vitest";
import type { Diagnosis } from "../verdict/diagnosis.ts";
import type { Registration } from "./answer.ts";
import { nameToAsk } from "./relevance.ts";
import { explanations } from "./sentences.ts";

const AT = Date.UTC(2026, 10, 22, 12);

const lame = (...hosts: string[]): Diagnosis => ({
  code: "lame_delegation",
  awaits: "registrar",
  observed: { nameservers: hosts.map((host) => ({ host, result: "timeout" })) },
});
const unpublished = (observed: object = {}): Diagnosis => ({
  code: "not_published",
  awaits: "claimant",
  observed: { nameservers: ["ns1.old.net"], publishedOn: [], serial: 1, ...observed },
});
const servfail = (
  fault?: Extract<Diagnosis, { code: "servfail" }>["observed"]["fault"],
): Diagnosis => ({
  code: "servfail",
  awaits: "registrar",
  observed: { resolvers: ["one"], extendedErrors: [], ...(fault && { fault }) },
});
const dsWithoutKeys = servfail({
  type: "ds_without_keys",
  dsKeyTags: [1],
  zone: "acme.com",
  secondsRemembered: 60,
});

const absent = {
  code: "record_absent",
  awaits: "claimant",
  observed: { answer: { type: "nxdomain" }, nearMiss: null },
} as const satisfies Diagnosis;

const PARKING = "ns1.sedoparking.com";
const parked: Diagnosis = {
  ...absent,
  awaits: "registrar",
  observed: { ...absent.observed, parked: { as: "parking", nameservers: [PARKING] } },
};
const wildcard: Diagnosis = {
  code: "no_matching_record",
  awaits: "claimant",
  observed: { values: ["v=spf1 -all"], wildcard: true },
};
const UNCONFIRMED = { nameservers: ["verify-contact-details.namecheap.com"] };

type Known = Partial<Registration> | null;
const KNOWN: Registration = {
  registeredAt: null,
  statuses: ["active"],
  expiresAt: Date.UTC(2027, 10, 3),
  nameservers: ["ns1.old.net", "ns2.old.net"],
  delegationSigned: false,
};
const say = (diagnosis: Diagnosis, known: Known) => {
  const registration = known && { ...KNOWN, ...known };
  return explanations({ name: "acme.com", at: AT, registration }, diagnosis);
};

describe("what the registry adds", () => {
  const old = lame("ns1.old.net");
  const having = (...statuses: Registration["statuses"]) => ({ statuses });
  const deleted = { ...having("pending delete", "redemption period"), expiresAt: AT - 1 };
  const CASES: Record<string, [Diagnosis, Known]> = {
    "not registered": [lame(), null],
    "client hold": [lame(), having("client hold", "client transfer prohibited")],
    "server hold": [lame(), having("server hold")],
    "redemption period before pending delete": [lame(), deleted],
    "pending delete": [lame(), having("pending delete")],
    expired: [old, { expiresAt: Date.UTC(2026, 10, 3) }],
    "renewed by the registry": [old, having("auto renew period")],
    "no nameservers": [lame(), { nameservers: [] }],
    inactive: [lame(), { nameservers: null, ...having("inactive") }],
    "removed at the registrar": [old, { nameservers: [] }],
    "not in DNS yet": [lame(), {}],
    "DS set": [dsWithoutKeys, { delegationSigned: true }],
    "DS gone": [dsWithoutKeys, {}],
    "nothing that explains it": [old, {}],
    "one of two nameservers seen": [unpublished(), {}],
    "a name unknown to a registry that delegates it": [old, null],
    "servers that are no host names": [lame("\\u{202e}x"), {}],
    "no nameservers in the answer": [lame(), { nameservers: null }],
    "no word of DS": [dsWithoutKeys, { delegationSigned: null }],
    "held until the address is confirmed": [lame(), { ...having("client hold"), ...UNCONFIRMED }],
    "parked, and expired": [parked, { expiresAt: AT - 1 }],
    "parked, and moved since": [parked, {}],
    "a wildcard's, and expired": [wildcard, { expiresAt: AT - 1 }],
    "a wildcard's, and on hold": [wildcard, having("client hold")],
    "a wildcard's, renewed by the registry": [wildcard, having("auto renew period")],
    "a wildcard's, with other nameservers": [wildcard, {}],
    "at new nameservers, and expired": [
      unpublished({ publishedOn: ["ns1.new.net"], elsewhere: { type: "unlisted" } }),
      { nameservers: ["ns1.new.net"], expiresAt: Date.UTC(2026, 10, 3) },
    ],
  };
  /** By case: a cause and its fix; other cases have none. */
  const SENTENCES = `
not registered: acme.com is not registered.
Register acme.com, or correct the name if it has a typo.
client hold: The registrar has put acme.com on hold.
Ask the registrar what it needs to take acme.com off hold.
server hold: The registry has put acme.com on hold.
Ask the registrar what the registry needs to take acme.com off hold.
redemption period before pending delete: acme.com was deleted at the registry and can still be restored (redemption period).
Ask the registrar to restore acme.com.
pending delete: The registry is about to delete acme.com (pending delete).
Ask the registrar whether acme.com can still be restored.
expired: acme.com expired on 3 November 2026.
Renew acme.com at the registrar.
renewed by the registry: The registration of acme.com ended, and the registry renewed it automatically (auto renew period).
Check with the registrar that the renewal of acme.com is paid.
no nameservers: No nameservers are set for acme.com at the registrar.
At the registrar of acme.com, enter your DNS provider’s nameservers.
inactive: No nameservers are set for acme.com at the registrar.
At the registrar of acme.com, enter your DNS provider’s nameservers.
removed at the registrar: No nameservers are set for acme.com at the registrar any more, but DNS still has ns1.old.net.
At the registrar of acme.com, enter your DNS provider’s nameservers.
not in DNS yet: The registry has ns1.old.net and ns2.old.net for acme.com, but DNS does not have them yet.
If these nameservers are the right ones, wait for the change.
DS set: The registry has a DS record for acme.com.
null
DS gone: The registry no longer has a DS record for acme.com, but DNS still has the old one.
Wait until DNS no longer has the old DS record.
held until the address is confirmed: The registrar has put acme.com on hold.
At the registrar of acme.com, confirm the contact address of its owner.
parked, and expired: acme.com expired on 22 November 2026.
Renew acme.com at the registrar.
parked, and expired: The registry has ns1.old.net and ns2.old.net for acme.com, but DNS still has ns1.sedoparking.com.
If the new nameservers are the right ones, wait for the change.
parked, and moved since: The registry has ns1.old.net and ns2.old.net for acme.com, but DNS still has ns1.sedoparking.com.
If the new nameservers are the right ones, wait for the change.
a wildcard's, and expired: acme.com expired on 22 November 2026.
Renew acme.com at the registrar.
a wildcard's, and on hold: The registrar has put acme.com on hold.
Ask the registrar what it needs to take acme.com off hold.
at new nameservers, and expired: acme.com expired on 3 November 2026.
Renew acme.com at the registrar.
at new nameservers, and expired: The registry has ns1.new.net for acme.com, but DNS still has ns1.old.net.
If the new nameservers are the right ones, wait for the change.
`;

  it("is said of the cases that it explains", () => {
    const told = Object.entries(CASES).flatMap(([what, [diagnosis, known]]) =>
      say(diagnosis, known).map(({ cause, fix }) => `${what}: ${cause}\n${fix}`),
    );
    expect(`\n${told.join("\n")}\n`).toBe(SENTENCES);
  });
});

it.each<[string, string | null, Diagnosis, string | null]>([
  ["acme.com", null, lame(), "acme.com"],
  ["www.acme.co.uk", null, lame(), "acme.co.uk"],
  ["me.github.io", null, lame(), "github.io"],
  ["acme.com", "acme.com", lame("ns1.old.net"), "acme.com"],
  ["shop.acme.com", "acme.com", unpublished(), "acme.com"],
  ["acme.com", "acme.com", servfail(), "acme.com"],
  ["acme.com", "acme.com", dsWithoutKeys, "acme.com"],
  // If the zone is not the registered name, somebody else delegates it.
  ["shop.acme.com", "shop.acme.com", lame("ns1.old.net"), null],
  ["me.github.io", "me.github.io", lame("ns1.old.net"), null],
  ["shop.acme.com", "shop.acme.com", unpublished(), null],
  ["acme.com", "acme.com", servfail({ type: "signatures_invalid", zone: "acme.com" }), null],
  ["com", null, lame(), null],
  ["acme.com", "acme.com", absent, null],
  ["acme.com", "acme.com", parked, "acme.com"],
  ["www.acme.com", "acme.com", wildcard, "acme.com"],
  ["shop.acme.com", "shop.acme.com", parked, null],
])("whom to ask: %s in the zone %s", (name, zone, diagnosis, asked) => {
  expect(nameToAsk({ name, zone }, diagnosis)).toBe(asked);
});
