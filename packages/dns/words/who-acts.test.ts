import { expect, it } from "vitest";
import {
  AT,
  alias,
  EXCHANGE,
  HISTORY,
  misplaced,
  NODATA,
  OTHER,
  observation,
  SOA,
  server,
  values,
  witnesses,
} from "../testing/observations.ts";
import { decide } from "../testing/verdicts.ts";
import type { History } from "../verdict/history.ts";
import type {
  Failure,
  Observation,
  ProbeKind,
  ServerReading,
  TxtAnswer,
} from "../verdict/observation.ts";
import { explain } from "./diagnoses/diagnoses.ts";

type Place = { domain: string; zone: string; parent: string };
const PLACES: Record<string, Place> = {
  "registrable domain": { domain: "acme.com", zone: "acme.com", parent: "com" },
  "subdomain in the zone": { domain: "shop.acme.com", zone: "acme.com", parent: "com" },
  "subdomain with its own zone": {
    domain: "shop.acme.com",
    zone: "shop.acme.com",
    parent: "acme.com",
  },
  "below a private suffix": { domain: "acme.uk.com", zone: "acme.uk.com", parent: "uk.com" },
  "in the zone of a private suffix": { domain: "me.github.io", zone: "github.io", parent: "io" },
};

const HOSTS = ["ns1.dns.net", "ns2.dns.net"];
const label = "_service-challenge";
const TOKEN = observation().token;
const soa = (zone: string) => ({ ...SOA, zone });
const absent = { ...NODATA, soa: null };
/** A read of the place: `servers` by host, with only these answers. */
function seen(
  { domain, zone, parent }: Place,
  servers: ServerReading[],
  change: Partial<Observation> = {},
) {
  const nameservers = servers.map(({ host }) => host);
  return observation({
    ...{ domain, challengeName: `${label}.${domain}`, servers, soa: soa(zone) },
    delegation: { type: "delegated", zone, parent, nameservers, ttl: 3_600 },
    ...{ confirmation: null, witnesses: null, validation: null },
    ...change,
  });
}
type Cause = (place: Place) => Observation;
const all = (outcome: Failure | TxtAnswer, more: Partial<ServerReading> = {}, hosts = HOSTS) =>
  hosts.map((host) => ({ ...server(host, outcome), ...more }));
const lame =
  (
    result: Failure,
    more: Partial<ServerReading> = {},
    hostsIn: (place: Place) => string[] = () => HOSTS,
  ): Cause =>
  (place) =>
    seen(place, all(result, more, hostsIn(place)));
const controls = (soa: Failure, plain: Failure = soa) => ({ control: { soa, plain, owner: null } });
const having = values(TOKEN);
const NS8 = server("ns8.dns.net", having);
const partial =
  (other: (place: Place) => ServerReading[], listed: string[] = ["ns1.dns.net"]): Cause =>
  (place) =>
    seen(place, [{ ...server("ns1.dns.net", having), listed }, ...other(place)]);
const nowhere =
  (change: (place: Place) => Partial<Observation> = () => ({}), hosts = HOSTS): Cause =>
  (place) =>
    seen(place, all(absent, {}, hosts), change(place));
const saying =
  (text: string): Cause =>
  (place) =>
    seen(place, all(values(text)));
const published =
  (change: (place: Place) => Partial<Observation>): Cause =>
  (place) =>
    seen(place, all(having), { confirmation: observation().confirmation, ...change(place) });
const BROKEN = { witnesses: witnesses("servfail", "servfail", "servfail") };
const OTHER_KEY = { type: "ds_matches_no_key" };
const rejecting = (reason: object): Cause =>
  published(({ zone, parent }) => ({
    ...BROKEN,
    validation: {
      verdict: "bogus",
      reason: { zone, parent, name: zone, records: "TXT", ttl: 60, ...reason },
    } as unknown as Observation["validation"],
  }));
const stale =
  (host: (place: Place) => string): Cause =>
  (place) =>
    seen(place, [{ ...server(host(place), "timeout"), address: "192.0.2.1", own: ["192.0.2.9"] }]);
const wrongly = (kind: ProbeKind, nameIn: (place: Place) => string): Cause =>
  nowhere((place) => ({ misplaced: [misplaced(kind, nameIn(place))] }));

/** Every code, and every cause that depends on who can change the zone's entry above. */
const CAUSES: Record<string, Cause> = {
  "lame_delegation: nothing delegated": (place) =>
    seen(place, [], { delegation: { type: "none", parent: place.parent, rcode: "NXDOMAIN" } }),
  "lame_delegation: no zone": lame("refused", controls("refused")),
  "lame_delegation: no copy": lame("servfail", controls("servfail")),
  "lame_delegation: silent": lame("timeout", controls("timeout")),
  "lame_delegation: without TCP": lame("tcp_refused"),
  "lame_delegation: in small letters": lame("case_changed"),
  "lame_delegation: over IPv6 alone": lame("ipv6_only"),
  "lame_delegation: in different ways": (place) =>
    seen(place, [server("ns1.dns.net", "tcp_refused"), server("ns2.dns.net", "is_alias")]),
  "lame_delegation: an alias, and no glue": (place) =>
    seen(place, [server("ns1.dns.net", "is_alias"), server(`ns2.${place.zone}`, "no_address")]),
  "lame_delegation: an alias": lame("is_alias", { alias: "real.dns.net" }),
  "lame_delegation: an address": lame("no_address", {}, () => ["192.0.2.1"]),
  "lame_delegation: a domain added": lame("no_address", {}, ({ zone }) => [`ns3.lab.net.${zone}`]),
  "lame_delegation: no glue": lame("no_address", {}, ({ zone }) => [`ns1.${zone}`]),
  "lame_delegation: unregistered": lame("no_address", { unregistered: true }),
  "lame_delegation: a resolver": (place) =>
    seen(place, all("refused", controls("refused")), {
      exchanges: [{ ...EXCHANGE, rcode: "REFUSED", aa: false, ra: true }],
    }),
  "lame_delegation: stale glue of its own": stale(({ zone }) => `ns1.${zone}`),
  "lame_delegation: stale glue of the host's": stale(() => "ns1.dns.net"),
  "lame_delegation: parked": lame("refused", {}, () => ["ns1.sedoparking.com"]),
  record_absent: nowhere(),
  "record_absent: under a wildcard": nowhere(({ zone }) => ({
    typesAtName: ["A"],
    wildcard: `*.${zone}`,
  })),
  "record_absent: parked": nowhere(undefined, ["ns1.sedoparking.com", "ns2.sedoparking.com"]),
  "record_absent: expired": nowhere(undefined, ["ns1.renewyourname.net"]),
  "record_absent: unconfirmed": nowhere(undefined, [
    "verify-contact-details.namecheap.com",
    "failed-whois-verification.namecheap.com",
  ]),
  "not_published: unsaved": nowhere(),
  "not_published: another view for us": nowhere(() => ({ outside: "dns0" })),
  "not_published: on unlisted servers": nowhere(() => ({ unlisted: [NS8] })),
  "not_published: on former servers": nowhere(() => ({ former: [NS8] })),
  "not_published: beside a former provider's": partial(() => [
    { ...server("ns9.old.net", absent), listed: ["ns9.old.net"] },
  ]),
  "not_published: beside dead servers": partial(() =>
    all("timeout", {}, ["ns8.old.net", "ns9.old.net"]),
  ),
  "not_published: beside silent servers": partial(
    () => all("timeout", {}, ["ns2.dns.net", "ns3.dns.net"]),
    ["ns1.dns.net", "ns2.dns.net", "ns3.dns.net"],
  ),
  "not_published: stale glue": partial(
    ({ zone }) => [{ ...server(`ns2.${zone}`, absent), own: ["192.0.2.9"] }],
    ["ns1.dns.net"],
  ),
  "not_published: lagging": partial(() => [server("ns2.dns.net", absent)], HOSTS),
  "not_published: on listed servers alone": published(() => ({
    witnesses: witnesses(having, having, having).map((one) => ({
      ...one,
      nameservers: ["ns8.dns.net"],
    })),
    named: [server("ns8.dns.net", absent)],
  })),
  "servfail: a DS without keys": rejecting({ type: "ds_without_keys", dsKeyTags: [7] }),
  "servfail: a DS of another key": rejecting({ ...OTHER_KEY, dsKeyTags: [7], keyTags: [8] }),
  "servfail: signatures expired": rejecting({ type: "signatures_expired", at: AT / 1_000 }),
  "servfail: an unsigned zone": published(({ zone, parent }) => ({
    ...BROKEN,
    validation: { verdict: "insecure", reason: { type: "unsigned", zone, parent } },
  })),
  "servfail: no reason": published(() => BROKEN),
  negative_cache: published(() => ({ witnesses: witnesses(absent, absent, absent) })),
  "negative_cache: the delegation of before": published(() => ({
    ...BROKEN,
    known: { listing: [], ttl: 60, until: AT + 60_000 },
  })),
  domain_appended: wrongly("domain_appended", ({ domain }) => `${label}.${domain}.${domain}`),
  record_at_apex: wrongly("apex", ({ domain }) => domain),
  record_on_www: wrongly("www", ({ domain }) => `www.${domain}`),
  value_formatted: saying(`"${TOKEN}"`),
  foreign_token: saying(OTHER),
  no_matching_record: saying("v=spf1 -all"),
  "no_matching_record: its own name": (place) =>
    seen(place, all(values(`${label}.${place.domain}`)), { wildcard: false }),
  cname_conflict: (place) => {
    const own = { type: "CNAME", name: `${label}.${place.domain}`, target: "x.net" } as const;
    return seen(place, all({ ...alias("x.net"), alias: own }), { wildcard: false });
  },
  expired_token: saying(OTHER),
};
const LATER: Partial<History> = { partialSince: 0 };
const historyOf = (cause: string): History => ({
  ...HISTORY,
  ...(cause.startsWith("not_published") && LATER),
  ...(cause.endsWith("unsaved") && { firstSerial: SOA.serial, serialSince: AT - 60_000 }),
  ...(cause === "expired_token" && { endedTokens: [{ token: OTHER, endedAt: 0 }] }),
});

function told(cause: string, place: Place) {
  const read = CAUSES[cause]?.(place);
  const decision = read && decide(read, historyOf(cause));
  const diagnosis = decision?.outcome === "absent" ? decision.diagnosis : null;
  if (!diagnosis) return { code: decision?.outcome, awaits: "nobody", fix: "" };
  const { domain, zone } = place;
  const { fix } = explain(diagnosis, { domain, zone, label, token: TOKEN, provider: "other" });
  return { code: diagnosis.code, awaits: diagnosis.awaits, fix };
}
const rows = Object.keys(CAUSES).flatMap((cause) =>
  Object.entries(PLACES).map(([where, place]) => ({ cause, where, place, ...told(cause, place) })),
);

it("C7.3: is told by the code, for every place of the claimed name", () => {
  const codes = rows.map(({ cause, code }) => [cause, code]);
  expect(codes).toEqual(rows.map(({ cause }) => [cause, cause.split(":")[0]]));
});

it("is who can, where they can, in the same words", async () => {
  const text = Object.keys(CAUSES).map((cause) => {
    const lines = rows.filter((row) => row.cause === cause);
    return [
      cause,
      ...lines.map(({ where, awaits, fix }) => `  ${where} | ${awaits} | ${fix}`),
    ].join("\n");
  });
  await expect(`${text.join("\n")}\n`).toMatchFileSnapshot("who-acts.test.txt");
});

/** Who acts, by the beginning of the sentence. */
const LEADS: [RegExp, string][] = [
  [/^(At the registrar of|Where \S+ was registered, )/, "registrar"],
  [/^In (the DNS panel of the zone|your DNS panel)/, "claimant"],
  [/^Leave /, "resolvers"],
  [/^Ask /, "provider"],
];
it.each(rows)("$cause, $where: the sentence speaks to who is awaited", (row) => {
  const { cause, fix, awaits, place } = row;
  const [, who] = LEADS.find(([lead]) => lead.test(fix)) ?? [];
  const isOthers = place.zone === "github.io" && awaits === "claimant";
  expect(isOthers ? "claimant" : who, fix).toBe(awaits);
  // No fix sends anybody to a registrar that does not have the name.
  for (const [, name] of fix.matchAll(/registrar of (\S+?)[,.]?(?= |$)/g))
    expect(["acme.com", "github.io", "dns.net", "uk.com"], fix).toContain(name);
  if (place.zone === "shop.acme.com" && !cause.endsWith("nothing delegated"))
    expect(fix).not.toMatch(/registrar of acme/);
});
