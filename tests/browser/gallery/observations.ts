import type { Provider } from "@deed/dns/names.ts";
import { PUBLIC_RESOLVERS } from "@deed/dns/resolve/public-resolvers.ts";
import type { ChallengeQuestion } from "@deed/dns/resolve/reader.ts";
import {
  absence,
  alias,
  EXCHANGE,
  misplaced,
  NXDOMAIN,
  OTHER,
  observation,
  SERIAL,
  SOA,
  server,
  values,
  witness,
} from "@deed/dns/testing/observations.ts";
import type { DiagnosisCode } from "@deed/dns/verdict/diagnosis.ts";
import type { Exchange, Failure, Observation, TxtAnswer } from "@deed/dns/verdict/observation.ts";
import { hostsOf } from "@deed/playground/samples.ts";

export type Observe = (question: ChallengeQuestion, at: number) => Observation;

/** `previous`: the earlier claim's token. `serial`: the zone's; without it, the serial changes every minute. */
type More = { previous?: string; serial?: number };
type Sight = (provider: Provider, more?: More) => Observe;
type Saying = (question: ChallengeQuestion) => (TxtAnswer | Failure)[];
type Change = (question: ChallengeQuestion, provider: Provider) => Partial<Observation>;

const parentOf = (domain: string) => domain.split(".").slice(1).join(".");

/** A view of the name's own zone, served by the provider's nameservers. */
const sight =
  (said: Saying, change: Change = () => ({}), isProof = false): Sight =>
  (provider, { serial } = {}) =>
  (question, now) => {
    const { domain, label, token } = question;
    const hosts = hostsOf(provider);
    const soa = { ...SOA, zone: domain, serial: serial ?? SERIAL + Math.floor(now / 60_000) };
    const servers = said(question)
      .map((each) => (typeof each !== "string" && each.soa ? { ...each, soa } : each))
      .map((each, index) => server(hosts[index] ?? "", each));
    const changed = change(question, provider);
    const asked = (changed.witnesses ?? []).flatMap(({ name, result, ...one }) =>
      result === "unasked" ? [] : [{ ...one, host: name, result }],
    );
    const seen = {
      ...{ domain, label, token, soa, servers },
      challengeName: `${label}.${domain}`,
      at: now,
      delegation: delegatedTo(domain, hosts),
      exchanges: [
        ...exchangesOf(question, servers, now),
        ...exchangesOf(question, asked, now).map((one) => ({
          ...one,
          transport: "https" as const,
        })),
      ],
      ...changed,
    };
    return isProof ? observation(seen) : absence([], seen);
  };

const delegatedTo = (zone: string, nameservers: string[]) =>
  ({ type: "delegated", zone, parent: parentOf(zone), nameservers, ttl: 3_600 }) as const;

type Asked = Pick<Exchange, "result" | "latencyMs"> & {
  host: string;
  address: string | null;
  answer: TxtAnswer | null;
};

const exchangesOf = (
  { domain, label }: ChallengeQuestion,
  servers: readonly Asked[],
  now: number,
): Observation["exchanges"] =>
  servers.map(({ host, address, result, answer, latencyMs }, index) => ({
    ...EXCHANGE,
    ...{ server: host, address: address ?? "", at: now + index * 3, result, latencyMs },
    question: { name: `${label}.${domain}`, type: "TXT" },
    rcode: answer?.rcode ?? null,
    aa: answer !== null,
  }));

const missing = () => [NXDOMAIN, NXDOMAIN];
const both = (answer: TxtAnswer) => [answer, answer];
const held: Saying = ({ token }) => both(values(token));
const confirmedAt = (provider: Provider) => ({
  ...{ host: hostsOf(provider)[0] ?? "", address: "192.0.2.1", confirmed: true },
});
/** The answers of the resolvers that Deed asks by default. */
const resolvers = (provider: Provider, ...answers: Parameters<typeof witness>[1][]) =>
  answers.map((answer, index) => {
    const { name = "", address = "" } = PUBLIC_RESOLVERS[index] ?? {};
    const nameservers = typeof answer === "string" ? null : hostsOf(provider);
    return { ...witness(name, answer), ad: false, address, nameservers };
  });
const proving = (said: Saying): Sight =>
  sight(
    said,
    ({ token }, provider) => ({
      witnesses: resolvers(provider, values(token), values(token), values(token)),
      confirmation: confirmedAt(provider),
    }),
    true,
  );
const but =
  (base: Sight, change: (seen: Observation) => Partial<Observation>): Sight =>
  (provider, more) =>
  (question, now) => {
    const seen = base(provider, more)(question, now);
    return { ...seen, ...change(seen) };
  };

export const found = proving(held);

/** Proved, in a signed zone that our own validation followed from the root. */
export const foundSigned = but(found, ({ witnesses }) => ({
  witnesses: witnesses?.map((one) => ({ ...one, ad: true })) ?? null,
  validation: { verdict: "secure" },
  // Pages only show that a chain exists.
  chain: Uint8Array.of(0),
}));

export const foundByMost = but(found, ({ witnesses }) => ({
  witnesses:
    witnesses?.map((one, index) => (index === 2 ? { ...one, answer: NXDOMAIN } : one)) ?? null,
}));

export const foundOnHalf = proving(({ token }) => [values(token), "timeout"]);

export const absent = sight(missing);

export const unreachable = sight(
  () => [],
  () => ({ delegation: { type: "unreachable", zone: "." }, soa: null }),
);

export const partial = sight(({ token }) => [values(token), NXDOMAIN]);

const servedBy = (servers: (token: string) => Observation["servers"]): Sight =>
  but(partial, ({ domain, token }) => ({
    servers: servers(token),
    delegation: delegatedTo(
      domain,
      servers(token).map(({ host }) => host),
    ),
  }));

export const silent = servedBy((token) => [
  server("ns61.domaincontrol.com", values(token)),
  server("ns63.domaincontrol.com", "timeout"),
  server("ns64.domaincontrol.com", "refused"),
]);

/** Thirteen nameservers with long names: most have the token, one has none, two give no answer. */
export const thirteen = servedBy((token) =>
  Array.from({ length: 13 }, (_, index) =>
    server(
      `${"a".repeat(63)}.nameserver-${index}.a-provider-with-a-long-name.example`,
      index === 0 ? NXDOMAIN : index < 3 ? "timeout" : values(token),
    ),
  ),
);

/** The record at another name on the same nameservers. */
const astray = (
  kind: Parameters<typeof misplaced>[0],
  name: (at: ChallengeQuestion) => string,
): Sight =>
  sight(missing, (question, provider) => ({
    misplaced: [{ ...misplaced(kind, name(question), question.token), servers: hostsOf(provider) }],
  }));

export const MISTAKES: Record<DiagnosisCode, Sight> = {
  domain_appended: astray("domain_appended", (at) => `${at.label}.${at.domain}.${at.domain}`),
  record_at_apex: astray("apex", ({ domain }) => domain),
  record_on_www: astray("challenge_on_www", ({ label, domain }) => `${label}.www.${domain}`),
  record_absent: astray("no_underscore", ({ label, domain }) => `${label.slice(1)}.${domain}`),
  value_formatted: sight(({ token }) => both(values(`TXT="${token}"`))),
  expired_token: (provider, { previous = OTHER } = {}) =>
    sight(() => both(values(previous)))(provider),
  foreign_token: sight(() => both(values(OTHER))),
  no_matching_record: sight(() =>
    both(values("v=spf1 include:_spf.example -all", "<b>site</b>-verification=\u202e1234")),
  ),
  cname_conflict: sight(
    () => both(alias("www.hosting.example")),
    () => ({ wildcard: false }),
  ),
  not_published: (provider) => absent(provider, { serial: SERIAL }),
  negative_cache: sight(
    held,
    (_, provider) => ({
      witnesses: resolvers(provider, NXDOMAIN, NXDOMAIN, NXDOMAIN),
      confirmation: confirmedAt(provider),
    }),
    true,
  ),
  servfail: sight(
    held,
    ({ domain }, provider) => ({
      witnesses: resolvers(provider, "servfail", "servfail", "servfail"),
      dnssec: [
        {
          zone: domain,
          parent: parentOf(domain),
          ds: [{ keyTag: 60485, algorithm: 13, digestType: 2, fits: false }],
          dsTtl: 86_400,
          keys: [{ keyTag: 45452, algorithm: 13, isEntryPoint: true }],
          keySignatures: [],
          answerSignatures: [],
        },
      ],
      validation: {
        verdict: "insecure",
        reason: { type: "unsigned", zone: domain, parent: parentOf(domain) },
      },
      confirmation: confirmedAt(provider),
    }),
    true,
  ),
  lame_delegation: sight(() => ["timeout", "refused"]),
};

export const undelegated = but(MISTAKES.lame_delegation, () => ({
  servers: [],
  delegation: { type: "none", parent: "example", rcode: "NXDOMAIN" },
}))("other");

/** One resolver met a lagging server, so the others have to wait. */
export const deniedByOne: Sight = (provider) => (question, now) => {
  const seen = MISTAKES.negative_cache(provider)(question, now);
  const [first, ...others] = seen.witnesses ?? [];
  const unasked = { result: "unasked", answer: null, latencyMs: null } as const;
  return {
    ...seen,
    witnesses: first ? [first, ...others.map((one) => ({ ...one, ...unasked }))] : [],
    tried: [{ resolver: first?.name ?? "", until: now + 60_000 }],
  };
};
