import type { Provider } from "@deed/dns/names.ts";
import type { ChallengeQuestion } from "@deed/dns/resolve/reader.ts";
import {
  absence,
  alias,
  misplaced,
  NXDOMAIN,
  OTHER,
  observation,
  SERIAL,
  SOA,
  server,
  values,
  witness,
  witnesses,
} from "@deed/dns/testing/observations.ts";
import type { DiagnosisCode } from "@deed/dns/verdict/diagnosis.ts";
import type { Failure, Observation, TxtAnswer } from "@deed/dns/verdict/observation.ts";
import { hostsOf } from "@deed/playground/samples.ts";

/** What a read of a claim's record sees. `previous` is the token of the previous claim on that name. */
export type Observe = (question: ChallengeQuestion, at: number) => Observation;

/** `serial`: a fixed serial for the zone; without it, the serial changes every minute. */
type Scene = { provider: Provider; previous?: string; serial?: number };

/** A sight in the zone of the name itself, served by the provider's nameservers. */
const at =
  (
    { provider, serial }: Scene,
    said: (question: ChallengeQuestion) => (TxtAnswer | Failure)[],
    change: (question: ChallengeQuestion) => Partial<Observation> = () => ({}),
    isProof = false,
  ): Observe =>
  (question, now) => {
    const { domain, label, token } = question;
    const hosts = hostsOf(provider);
    const soa = { ...SOA, zone: domain, serial: serial ?? SERIAL + Math.floor(now / 60_000) };
    const servers = said(question)
      .map((each) => (typeof each !== "string" && each.soa ? { ...each, soa } : each))
      .map((each, index) => server(hosts[index] ?? "", each));
    const place = {
      domain,
      label,
      token,
      challengeName: `${label}.${domain}`,
      at: now,
      delegation: {
        type: "delegated",
        zone: domain,
        parent: domain.split(".").slice(1).join("."),
        nameservers: hosts,
        ttl: 3_600,
      },
      soa,
      servers,
    } as const;
    return (isProof ? observation : (rest: Partial<Observation>) => absence([], rest))({
      ...place,
      exchanges: exchangesOf(question, servers, now),
      ...change(question),
    });
  };

const exchangesOf = (
  { domain, label }: ChallengeQuestion,
  servers: Observation["servers"],
  now: number,
): Observation["exchanges"] =>
  servers.map(({ host, address, result, answer, latencyMs }, index) => ({
    at: now + index * 3,
    server: host,
    address: address ?? "",
    transport: "udp",
    question: { name: `${label}.${domain}`, type: "TXT" },
    result,
    rcode: answer?.rcode ?? null,
    aa: answer !== null,
    ad: false,
    tc: false,
    latencyMs,
  }));

const missing = [NXDOMAIN, NXDOMAIN];
const both = (answer: TxtAnswer) => [answer, answer];
const seenBy = (token: string, { provider }: Scene) =>
  witnesses(values(token), values(token), values(token)).map((witness) => ({
    ...witness,
    nameservers: hostsOf(provider),
  }));
const confirmation = { host: "ns1", address: "192.0.2.1", confirmed: true };

/** Proved: every nameserver and every resolver has the token. */
export const found = (scene: Scene): Observe =>
  at(
    scene,
    ({ token }) => both(values(token)),
    ({ token }) => ({ witnesses: seenBy(token, scene), confirmation }),
    true,
  );

/** Proved, in a zone whose signatures our own validation followed from the root. */
export const foundSigned =
  (scene: Scene): Observe =>
  (question, now) => {
    const seen = found(scene)(question, now);
    const witnesses = seen.witnesses?.map((one) => ({ ...one, ad: true })) ?? null;
    // Pages show no more of a chain than that there is one.
    return { ...seen, witnesses, validation: { verdict: "secure" }, chain: Uint8Array.of(0) };
  };

/** Proved, although one of the resolvers still has the old answer. */
export const foundByMost =
  (scene: Scene): Observe =>
  (question, now) => {
    const seen = found(scene)(question, now);
    const witnesses =
      seen.witnesses?.map((one, index) => (index === 2 ? { ...one, answer: NXDOMAIN } : one)) ??
      null;
    return { ...seen, witnesses };
  };

/** Proved, although one of the zone's two nameservers did not answer. */
export const foundOnHalf = (scene: Scene): Observe =>
  at(
    scene,
    ({ token }) => [values(token), "timeout"],
    ({ token }) => ({ witnesses: seenBy(token, scene), confirmation }),
    true,
  );

/** No record at the name, in a zone whose serial changes. */
export const absent = (scene: Scene): Observe => at(scene, () => missing);

/** The root did not answer: a failure on our side. */
export const unreachable = (scene: Scene): Observe =>
  at(
    scene,
    () => [],
    () => ({ delegation: { type: "unreachable", zone: "." }, soa: null }),
  );

/** One nameserver of two has the token. */
export const partial = (scene: Scene): Observe =>
  at(scene, ({ token }) => [values(token), NXDOMAIN]);

/** One nameserver of three has the token, and the others give no answer. */
export const silent =
  (scene: Scene): Observe =>
  (question, now) => {
    const { delegation, servers, ...seen } = partial(scene)(question, now);
    if (delegation.type !== "delegated") throw new Error("a zone without a delegation");
    const [holder] = servers;
    const others = [
      server("ns63.domaincontrol.com", "timeout"),
      server("ns64.domaincontrol.com", "refused"),
    ];
    const all = [...(holder ? [holder] : []), ...others];
    const nameservers = all.map(({ host }) => host);
    return { ...seen, delegation: { ...delegation, nameservers }, servers: all };
  };

/** Thirteen nameservers with long names: most have the token, one has none, two give no answer. */
export const thirteen =
  (scene: Scene): Observe =>
  (question, now) => {
    const { delegation, ...seen } = partial(scene)(question, now);
    if (delegation.type !== "delegated") throw new Error("a zone without a delegation");
    const servers = Array.from({ length: 13 }, (_, index) =>
      server(
        `${"a".repeat(63)}.nameserver-${index}.a-provider-with-a-long-name.example`,
        index === 0 ? NXDOMAIN : index < 3 ? "timeout" : values(question.token),
      ),
    );
    const nameservers = servers.map(({ host }) => host);
    return { ...seen, delegation: { ...delegation, nameservers }, servers };
  };

/** What the reader sees for each of the thirteen codes. */
export const MISTAKES: Record<DiagnosisCode, (scene: Scene) => Observe> = {
  domain_appended: (scene) =>
    at(
      scene,
      () => missing,
      ({ label, domain, token }) => ({
        misplaced: [misplaced("domain_appended", `${label}.${domain}.${domain}`, token)],
      }),
    ),
  record_at_apex: (scene) =>
    at(
      scene,
      () => missing,
      ({ domain, token }) => ({ misplaced: [misplaced("apex", domain, token)] }),
    ),
  record_on_www: (scene) =>
    at(
      scene,
      () => missing,
      ({ label, domain, token }) => ({
        misplaced: [misplaced("challenge_on_www", `${label}.www.${domain}`, token)],
      }),
    ),
  value_formatted: (scene) => at(scene, ({ token }) => both(values(`TXT="${token}"`))),
  expired_token: (scene) => at(scene, () => both(values(scene.previous ?? OTHER))),
  foreign_token: (scene) => at(scene, () => both(values(OTHER))),
  no_matching_record: (scene) =>
    at(scene, () =>
      both(values("v=spf1 include:_spf.example -all", "<b>site</b>-verification=\u202e1234")),
    ),
  cname_conflict: (scene) =>
    at(
      scene,
      () => both(alias("www.hosting.example")),
      () => ({ wildcard: false }),
    ),
  record_absent: (scene) =>
    at(
      scene,
      () => missing,
      ({ label, domain, token }) => ({
        misplaced: [misplaced("no_underscore", `${label.slice(1)}.${domain}`, token)],
      }),
    ),
  not_published: (scene) => at({ ...scene, serial: SERIAL }, () => missing),
  negative_cache: (scene) =>
    at(
      scene,
      ({ token }) => both(values(token)),
      () => ({ witnesses: witnesses(NXDOMAIN, NXDOMAIN, NXDOMAIN), confirmation }),
      true,
    ),
  servfail: (scene) =>
    at(
      scene,
      ({ token }) => both(values(token)),
      ({ domain }) => ({
        witnesses: ["north", "east", "west"].map((name) => witness(name, "servfail")),
        dnssec: [
          {
            zone: domain,
            parent: domain.split(".").slice(1).join("."),
            ds: [{ keyTag: 60485, algorithm: 13, digestType: 2, fits: false }],
            dsTtl: 86_400,
            keys: [{ keyTag: 45452, algorithm: 13, isEntryPoint: true }],
            keySignatures: [],
            answerSignatures: [],
          },
        ],
        confirmation,
      }),
      true,
    ),
  lame_delegation: (scene) => at(scene, () => ["timeout", "refused"]),
};
