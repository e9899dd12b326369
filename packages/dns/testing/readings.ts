import type { ChallengeQuestion } from "../resolve/reader.ts";
import type { Exchange, Observation, ServerReading, TxtAnswer } from "../verdict/observation.ts";
import { observation, server, values, witness } from "./observations.ts";

/** Observations like a reader's, for tests that do not read DNS. `at` is epoch milliseconds. */

const NAMESERVERS = ["ns1.example.net", "ns2.example.net"];
const DELEGATED = { parent: "test", nameservers: NAMESERVERS, ttl: 3600 };
const SERIAL = 2026010101;
const ADDRESS = "192.0.2.53";

type See = (question: ChallengeQuestion, at: number) => Observation;

const TIMES = { refresh: 1800, minimum: 600, ttl: 600 };
const soaOf = (zone: string, serial = SERIAL) => ({ zone, serial, ...TIMES });
const negative = (zone: string, serial?: number): TxtAnswer => ({
  ...values(),
  rcode: "NXDOMAIN",
  ttl: null,
  soa: soaOf(zone, serial),
});
const positive = (value: string): TxtAnswer => ({ ...values(value), ttl: 300 });

const serversWith = (...answers: TxtAnswer[]): ServerReading[] =>
  answers.map((one, at) => ({ ...server(NAMESERVERS[at] ?? "", one), address: ADDRESS }));
const witnessesWith = (answer: TxtAnswer) =>
  ["one", "two", "three"].map((name) => ({
    ...witness(name, answer),
    address: "198.51.100.53",
    nameservers: NAMESERVERS,
  }));

/** The nameservers answer that nothing exists at the challenge name; the zone has this serial. */
const base = ({ domain, label, token }: ChallengeQuestion, at: number, serial = SERIAL) =>
  observation({
    at,
    durationMs: 40,
    ...{ domain, label, challengeName: `${label}.${domain}`, token },
    delegation: { type: "delegated", zone: domain, ...DELEGATED },
    servers: serversWith(negative(domain, serial), negative(domain, serial)),
    soa: soaOf(domain, serial),
    confirmation: null,
    witnesses: null,
    validation: null,
    packets: 8,
  });

/** Every nameserver and every witness returns the token. */
export const foundAt: See = (question, at) => ({
  ...base(question, at),
  servers: serversWith(positive(question.token), positive(question.token)),
  confirmation: { host: "ns1.example.net", address: ADDRESS, confirmed: true },
  validation: {
    verdict: "insecure",
    reason: { type: "unsigned", zone: question.domain, parent: "test" },
  },
  witnesses: witnessesWith(positive(question.token)),
});

/** The nameservers answer that nothing exists at the challenge name. */
export const absentAt: See = (question, at) => ({
  ...base(question, at),
  soa: soaOf(question.domain, SERIAL + 1),
});

/** The nameservers have another value at the challenge name. */
export const holdingAt =
  (value: string): See =>
  (question, at) => ({
    ...absentAt(question, at),
    servers: serversWith(positive(value), positive(value)),
    wildcard: false,
  });

/** One of two nameservers has the token. */
export const partialAt: See = (question, at) => ({
  ...base(question, at),
  servers: serversWith(positive(question.token), negative(question.domain)),
});

/** The nameservers have the token; the witnesses' negative caches last ten more minutes. */
export const rememberedAt: See = (question, at) => ({
  ...foundAt(question, at),
  witnesses: witnessesWith(negative(question.domain)),
});

/** The root does not answer. */
export const unreachableAt: See = (question, at) => ({
  ...base(question, at),
  delegation: { type: "unreachable", zone: "." },
  servers: [],
  soa: null,
});

const asked = (transport: Exchange["transport"], result: Exchange["result"]): Exchange => ({
  ...{ server: "a.root", address: ADDRESS, transport, result, at: 0, latencyMs: null, rcode: null },
  ...{ question: { name: ".", type: "SOA" }, aa: false, ad: false, tc: false },
});

/** Port 53 is shut; a resolver answered like this over HTTPS. Both resolvers may be asked again at these times. */
export const shutAt =
  (change: Partial<Observation>, ...until: number[]): See =>
  (question, at) => ({
    ...unreachableAt(question, at),
    exchanges: [asked("udp", "timeout"), asked("tcp", "tcp_refused"), asked("https", "answered")],
    shut: { held: until.map((one, index) => ({ resolver: `r${index + 1}`, until: one })) },
    ...change,
  });

const unread = { type: "not_read", zone: "test", name: "", records: "TXT" } as const;
/** The denial of a record in a signed zone. */
export const DENIED = {
  witnesses: witnessesWith(negative("example.test")).slice(0, 1),
  validation: { verdict: "indeterminate", reason: unread },
} satisfies Partial<Observation>;

/** Nothing exists at the challenge name; the zone and its nameservers have this serial. */
export const serialAt =
  (serial: number): See =>
  (question, at) =>
    base(question, at, serial);
