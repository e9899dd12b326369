/** What a read of each name in test mode sees. */

import type { Reader } from "@deed/dns/resolve/reader.ts";
import type {
  MisplacedRecord,
  Observation,
  ServerReading,
  TxtAnswer,
  WitnessReading,
} from "@deed/dns/verdict/observation.ts";

/** How long after its claim was opened a name stays wrong, and how long a watched name has its record. */
const STAYS_WRONG_MS = 30 * 60_000;
const KEPT_MS = 24 * 3_600_000;
/** The date of first registration that the registry gives for every name. */
const REGISTERED_AT = Date.UTC(2019, 2, 4);

const HOSTS = ["ns1.dns.test", "ns2.dns.test"];
const OTHER_HOSTS = ["ns1.other.test", "ns2.other.test"];
const address = "192.0.2.53";

const answer = (values: string[], differs: Partial<TxtAnswer> = {}): TxtAnswer => {
  return { rcode: "NOERROR", values, ttl: 3600, alias: null, soa: null, ...differs };
};

/** Null: the server refuses. */
const serversOf = (answers: (TxtAnswer | null)[], hosts = HOSTS): ServerReading[] =>
  answers.map((answer, i) => {
    const result = answer ? "answered" : "refused";
    return { host: hosts[i] ?? "", address, result, answer, latencyMs: 12 };
  });

/** Null: SERVFAIL, because of wrong signatures. */
const witnessesOf = (answer: TxtAnswer | null): WitnessReading[] =>
  ["one", "two", "three"].map((name) => {
    const result = answer ? "answered" : "servfail";
    const errors = { extendedErrors: [], uncheckedRcode: answer ? null : "NOERROR" };
    return {
      name,
      address,
      result,
      answer,
      nameservers: HOSTS,
      ad: false,
      ...errors,
      latencyMs: 20,
    };
  });

type ClaimQuestion = Pick<Observation, "domain" | "label" | "challengeName" | "token" | "at">;
type ObservationsByName = Record<string, Partial<Observation>>;

/** How reads differ from a proving read: at first by `wrong`, later by `later`, and always by `always`. */
function plantedObservations(
  { domain: zone, label, challengeName, token, at }: ClaimQuestion,
  ended: string,
) {
  const soa = (serial: number) => ({ zone, serial, refresh: 3600, minimum: 3600, ttl: 3600 });
  const emptyAnswer = answer([], { rcode: "NXDOMAIN", ttl: null, soa: soa(1) });
  // Serial 1 does not show whether the zone was saved.
  const unread = { confirmation: null, witnesses: null, validation: null, soa: soa(1) };
  const bothServers = (reply: TxtAnswer | null) => ({
    ...unread,
    servers: serversOf([reply, reply]),
  });
  const absent = bothServers(emptyAnswer);
  const withText = (value: string) => bothServers(answer([value]));
  const seenAt = (kind: MisplacedRecord["kind"], name: string) => {
    return { ...absent, misplaced: [{ kind, name, value: token, others: 0, servers: HOSTS }] };
  };
  const digits = token.slice(-40);
  const alias = { type: "CNAME" as const, name: challengeName, target: `www.${zone}` };
  const expiredFault = { type: "signatures_expired" as const, zone, name: zone, records: "DNSKEY" };
  const wrong: ObservationsByName = {
    "domain-appended": seenAt("domain_appended", `${challengeName}.${zone}`),
    "record-at-apex": seenAt("apex", zone),
    "record-on-www": seenAt("challenge_on_www", `${label}.www.${zone}`),
    "value-formatted": withText(`"${token}"`),
    "expired-token": withText(ended),
    "foreign-token": withText(token.replace(digits, [...digits].reverse().join(""))),
    "no-matching-record": withText("v=spf1 -all"),
    "cname-conflict": bothServers(answer([], { ttl: null, alias })),
    "record-absent": absent,
    "not-published": { ...bothServers({ ...emptyAnswer, soa: soa(7) }), soa: soa(7) },
    "negative-cache": { witnesses: witnessesOf(emptyAnswer) },
    servfail: {
      witnesses: witnessesOf(null),
      validation: { verdict: "bogus", reason: { ...expiredFault, at: at / 1_000 - 86_400 } },
    },
    "lame-delegation": bothServers(null),
    "nameserver-sync": { servers: serversOf([answer([token]), emptyAnswer]) },
    retry: { delegation: { type: "unreachable", zone: "test" } },
  };
  const later: ObservationsByName = {
    missing: absent,
    lapsed: absent,
    moved: {
      ...unread,
      delegation: { type: "delegated", zone, parent: "test", nameservers: OTHER_HOSTS, ttl: 3600 },
      servers: serversOf([emptyAnswer, emptyAnswer], OTHER_HOSTS),
    },
    gone: { delegation: { type: "none", parent: "test", rcode: "NXDOMAIN" } },
  };
  const proving = { proved: {}, "registered-again": {}, expiring: {} };
  return { wrong, later, always: { ...proving, expired: absent } as ObservationsByName };
}

const NAMES = new Set(
  Object.values(
    plantedObservations({ domain: "", label: "", challengeName: "", token: "", at: 0 }, ""),
  ).flatMap((observations) => Object.keys(observations).map((name) => `${name}.test`)),
);

export const isTestName = (ascii: string): boolean => NAMES.has(ascii);

function plantedRead(question: ClaimQuestion, ended: string, ageMs: number): Observation {
  const { domain: zone, token } = question;
  const { wrong, later, always } = plantedObservations(question, ended);
  const name = zone.replace(/\.test$/, "");
  const unsignedFault = { type: "unsigned" as const, zone, parent: "test" };
  return {
    ...question,
    ...{ version: 1, durationMs: 0, packets: 0, exchanges: [], limit: null, chain: null },
    ...{ strays: [], silentAbove: [], named: null, unlisted: [], former: [], parent: null },
    ...{ holder: null, typesAtName: [], wildcard: null, misplaced: [] },
    soa: { zone, serial: 2, refresh: 3600, minimum: 3600, ttl: 3600 },
    delegation: { type: "delegated", zone, parent: "test", nameservers: HOSTS, ttl: 3600 },
    servers: serversOf([answer([token]), answer([token])]),
    confirmation: { host: "ns1.dns.test", address, confirmed: true },
    witnesses: witnessesOf(answer([token])),
    validation: { verdict: "insecure", reason: unsignedFault },
    ...always[name],
    ...(ageMs < STAYS_WRONG_MS && wrong[name]),
    ...(ageMs >= KEPT_MS && later[name]),
  };
}

/** Epoch milliseconds. */
export type KnownClaim = { token: string; openedAt: number; endedAt: number | null };

/** The registry's answer about a name, in RDAP (RFC 9083): when it was last registered, and when a registration ends. */
export function plantedRegistration(name: string, now: number, [newest]: KnownClaim[]) {
  const provedAgainAt = (newest?.openedAt ?? now) + 3 * KEPT_MS;
  const isRegisteredAgain = name === "registered-again.test" && now > provedAgainAt;
  const eventDate = new Date(isRegisteredAgain ? provedAgainAt : REGISTERED_AT).toISOString();
  const endsAt = (newest?.openedAt ?? now) + 40 * KEPT_MS;
  const renewed = endsAt + (now > endsAt ? 365 * KEPT_MS : 0);
  const events = [
    { eventAction: "registration", eventDate },
    ...(name === "expiring.test"
      ? [{ eventAction: "expiration", eventDate: new Date(renewed).toISOString() }]
      : []),
  ];
  return { objectClassName: "domain", ldhName: name, events };
}

/** Reads no DNS: what a name shows depends on the age of its claim. `claimsOf`: the claims on a name, newest first. */
export const plantedReader = (
  clock: () => number,
  claimsOf: (name: string) => KnownClaim[],
): Reader => ({
  async readChallenge({ domain, label, token }) {
    const at = clock();
    const claims = claimsOf(domain);
    const question = { domain, label, token, challengeName: `${label}.${domain}`, at };
    const ended = claims.find(({ endedAt }) => endedAt !== null)?.token ?? "v=spf1 -all";
    const { openedAt = at } = claims.find((claim) => claim.token === token) ?? {};
    return plantedRead(question, ended, at - openedAt);
  },
  readZone: async (name) =>
    isTestName(name)
      ? { type: "read", zone: name, nameservers: HOSTS, ttl: 3600, negativeTtl: 3600, at: clock() }
      : { type: "no_delegation" },
  glance: async () => ({ type: "silent" }),
  mayGlance: () => false,
  hasRoom: () => true,
  close: () => {},
});
