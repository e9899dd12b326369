import type { ChallengeQuestion } from "../resolve/reader.ts";
import type {
  Observation,
  ServerReading,
  TxtAnswer,
  WitnessReading,
} from "../verdict/observation.ts";

/** Observations like those of the reader, for tests that read no DNS. `at` is epoch milliseconds. */

const NAMESERVERS = ["ns1.example.net", "ns2.example.net"] as const;
const SERIAL = 2026010101;

const negative = (zone: string): TxtAnswer => ({
  rcode: "NXDOMAIN",
  values: [],
  ttl: null,
  alias: null,
  soa: { zone, serial: SERIAL, refresh: 1800, minimum: 600, ttl: 600 },
});

const positive = (value: string): TxtAnswer => ({
  rcode: "NOERROR",
  values: [value],
  ttl: 300,
  alias: null,
  soa: null,
});

const server = (host: string, answer: TxtAnswer): ServerReading => ({
  host,
  address: "192.0.2.53",
  result: "answered",
  answer,
  latencyMs: 12,
});

const witness = (name: string, answer: TxtAnswer): WitnessReading => ({
  name,
  address: "198.51.100.53",
  result: "answered",
  answer,
  nameservers: [...NAMESERVERS],
  ad: true,
  extendedErrors: [],
  uncheckedRcode: null,
  latencyMs: 20,
});

function base({ domain, label, token }: ChallengeQuestion, at: number): Observation {
  return {
    version: 1,
    at,
    durationMs: 40,
    domain,
    label,
    challengeName: `${label}.${domain}`,
    token,
    delegation: {
      type: "delegated",
      zone: domain,
      parent: "test",
      nameservers: [...NAMESERVERS],
      ttl: 3600,
    },
    servers: NAMESERVERS.map((host) => server(host, negative(domain))),
    strays: [],
    silentAbove: [],
    named: null,
    unlisted: [],
    former: [],
    parent: null,
    soa: { zone: domain, serial: SERIAL, refresh: 1800, minimum: 600, ttl: 600 },
    holder: null,
    typesAtName: [],
    confirmation: null,
    wildcard: null,
    misplaced: [],
    witnesses: null,
    validation: null,
    chain: null,
    packets: 8,
    limit: null,
    exchanges: [],
  };
}

/** Every nameserver and every witness returns the token. */
export const foundAt = (question: ChallengeQuestion, at: number): Observation => ({
  ...base(question, at),
  servers: NAMESERVERS.map((host) => server(host, positive(question.token))),
  confirmation: { host: NAMESERVERS[0], address: "192.0.2.53", confirmed: true },
  validation: {
    verdict: "insecure",
    reason: { type: "unsigned", zone: question.domain, parent: "test" },
  },
  witnesses: ["one", "two", "three"].map((name) => witness(name, positive(question.token))),
});

/** The nameservers answer that nothing exists at the challenge name. */
export const absentAt = (question: ChallengeQuestion, at: number): Observation => ({
  ...base(question, at),
  soa: { zone: question.domain, serial: SERIAL + 1, refresh: 1800, minimum: 600, ttl: 600 },
});

/** The nameservers hold another value at the challenge name. */
export const holdingAt =
  (value: string) =>
  (question: ChallengeQuestion, at: number): Observation => ({
    ...absentAt(question, at),
    servers: NAMESERVERS.map((host) => server(host, positive(value))),
    wildcard: false,
  });

/** One of two nameservers has the token. */
export const partialAt = (question: ChallengeQuestion, at: number): Observation => ({
  ...base(question, at),
  servers: [
    server(NAMESERVERS[0], positive(question.token)),
    server(NAMESERVERS[1], negative(question.domain)),
  ],
});

/** The nameservers have the token; the witnesses' negative caches last ten minutes more. */
export const rememberedAt = (question: ChallengeQuestion, at: number): Observation => ({
  ...foundAt(question, at),
  witnesses: ["one", "two", "three"].map((name) => witness(name, negative(question.domain))),
});

/** The root does not answer. */
export const unreachableAt = (question: ChallengeQuestion, at: number): Observation => ({
  ...base(question, at),
  delegation: { type: "unreachable", zone: "." },
  servers: [],
  soa: null,
});

/** Nothing exists at the challenge name; the zone and its nameservers have this serial. */
export const serialAt =
  (serial: number) =>
  (question: ChallengeQuestion, at: number): Observation => {
    const read = base(question, at);
    const soa = read.soa && { ...read.soa, serial };
    return {
      ...read,
      soa,
      servers: read.servers.map((one) => ({
        ...one,
        answer: one.answer && { ...one.answer, soa },
      })),
    };
  };
