import { isRegistry, joined, parentOf } from "../names.ts";
import { corruptionOf, probesFor } from "../verdict/near-misses.ts";
import {
  type Misplaced,
  type Observation,
  rcodeFailure,
  type TxtAnswer,
  type WitnessReading,
} from "../verdict/observation.ts";
import { hasToken } from "../verdict/publication-status.ts";
import {
  buildQuery,
  decodeMessage,
  MAX_MESSAGE,
  type Message,
  matchQuestion,
  type Question,
  shuffled,
} from "../wire/message.ts";
import { nameserversIn, recordAnswer, soaOf } from "./authority.ts";
import { nothingSeen } from "./read-challenge.ts";
import type { ChallengeQuestion, Reader } from "./reader.ts";
import { Wanted } from "./wanted.ts";
import { dataAt, wildcardOf } from "./wildcards.ts";

/** A resolver that answers over HTTPS (RFC 8484). */
export type HttpsResolver = { name: string; url: string };

export const HTTPS_RESOLVERS: readonly HttpsResolver[] = [
  { name: "cloudflare", url: "https://cloudflare-dns.com/dns-query" },
  { name: "google", url: "https://dns.google/dns-query" },
  { name: "quad9", url: "https://dns.quad9.net/dns-query" },
];

const ANSWER_MS = 5_000;
const MAX_PROBES = 24;
const OTHER_TYPES = { TXT: ["A", "AAAA", "MX"], CNAME: ["A", "AAAA", "TXT"] } as const;

/** Reads by what resolvers say, where no nameserver can be asked: `fetch` is all that it needs. */
export const httpsReader = (
  resolvers: readonly HttpsResolver[] = HTTPS_RESOLVERS,
): Pick<Reader, "readChallenge"> => ({
  readChallenge: (question, signal) => readByResolvers(resolvers, question, signal),
});

async function readByResolvers(
  resolvers: readonly HttpsResolver[],
  question: ChallengeQuestion,
  signal: AbortSignal,
): Promise<Observation> {
  signal.throwIfAborted();
  const started = performance.now();
  const { domain, label, token, type = "TXT", accepted } = question;
  const wanted = new Wanted(type, token, accepted);
  const seen = nothingSeen({ at: Date.now(), exchanges: [] }, question);
  const name = joined(label, domain);

  const ask = async ({ name: server, url: address }: HttpsResolver, asked: Question) => {
    const at = Math.round(performance.now() - started);
    const message = await exchange(address, asked, signal);
    const { rcode = null, aa = false, ad = false, tc = false } = message ?? {};
    const result = message ? ("answered" as const) : ("timeout" as const);
    const latencyMs = message && Math.round(performance.now() - started) - at;
    const told = { at, latencyMs, result, rcode, aa, ad, tc };
    seen.exchanges.push({ server, address, transport: "https", question: asked, ...told });
    return message;
  };
  const readingBy = async (resolver: HttpsResolver): Promise<WitnessReading> => {
    const message = await ask(resolver, { name, type });
    const failure = message ? rcodeFailure(message.rcode) : "timeout";
    const answer = message && !failure ? recordAnswer({ wanted }, message, name) : null;
    const { ad = false, extendedErrors = [] } = message ?? {};
    const { name: witness, url: address } = resolver;
    const unknown = { nameservers: null, uncheckedRcode: null, latencyMs: null };
    const result = failure ?? "answered";
    return { name: witness, address, result, answer, ad, extendedErrors, ...unknown };
  };

  // One at a time: a resolver that is asked too early keeps its denial.
  const order = shuffled(resolvers);
  const readings = new Map<string, WitnessReading>();
  for (const one of order) {
    const reading = await readingBy(one);
    readings.set(one.name, reading);
    const having = [...readings.values()].filter(({ answer }) => hasToken(answer, token)).length;
    if (having * 2 > resolvers.length || (reading.answer && !hasToken(reading.answer, token)))
      break;
  }
  const all = [...readings.values()];
  const said = all.find(({ answer }) => hasToken(answer, token)) ?? all.find((one) => one.answer);
  const asker = order.find((one) => one.name === said?.name);
  const askIt = async (asked: Question) => (asker ? ask(asker, asked) : null);

  const soa = said?.answer?.soa ?? soaIn(await askIt({ name, type: "SOA" }));
  const zone = soa?.zone ?? domain;
  const isHeld = soa === null || !isRegistry(zone, domain);
  const ns = isHeld ? await askIt({ name: zone, type: "NS" }) : null;
  const nameservers = [...new Set(ns ? nameserversIn(ns, zone) : [])].sort();
  const isBroken = all.every(({ result }) => result === "servfail");
  seen.delegation = isHeld
    ? { type: "delegated", zone, parent: parentOf(zone), nameservers, ttl: 0 }
    : { type: "none", parent: zone, rcode: said?.answer?.rcode ?? "NXDOMAIN" };
  seen.soa = soa;
  const answer = said?.answer ?? (isBroken ? NOTHING : null);
  const hosts = nameservers.length > 0 ? nameservers : [zone];
  if (answer === null) seen.limit = "deadline";
  // The decision takes what a resolver says for what every nameserver does.
  const result = answer ? ("answered" as const) : ("timeout" as const);
  seen.servers = hosts.map((host) => ({ host, address: null, result, answer, latencyMs: null }));
  const isThere = hasToken(answer, token);
  if (isThere) {
    seen.confirmation = { host: hosts[0] ?? zone, address: "", confirmed: true };
    seen.validation = { verdict: "indeterminate", reason: { type: "no_anchor" } };
  }
  seen.witnesses = resolvers.map(({ name: one, url: address }) => ({
    ...{ name: one, address, result: "unasked", answer: null, ad: false, extendedErrors: [] },
    ...{ uncheckedRcode: null, latencyMs: null, ...readings.get(one), nameservers: hosts },
  }));
  if (answer && !isThere && !isBroken && !question.isPlain && isHeld && asker)
    await search(seen, zone, wanted, answer, (asked) => ask(asker, asked));
  if (type === "CNAME" && isHeld && asker) seen.target = await targetOf(seen, askIt);
  if (wanted.other !== null) seen.accepted = wanted.other;
  seen.byResolvers = true;
  seen.packets = seen.exchanges.length;
  seen.durationMs = Math.round(performance.now() - started);
  signal.throwIfAborted();
  return seen;
}

const NOTHING: TxtAnswer = { rcode: "NOERROR", values: [], ttl: null, alias: null, soa: null };
const soaIn = (message: Message | null) => message && soaOf(message);

/** What is at the name instead, and the record at names that are wrong; resolvers may keep that those do not exist. */
async function search(
  seen: Observation,
  zone: string,
  wanted: Wanted,
  answer: TxtAnswer,
  ask: (question: Question) => Promise<Message | null>,
): Promise<void> {
  const { challengeName: name, token } = seen;
  const { type } = wanted;
  const isLike = (value: string) => value === token || corruptionOf(value, token) !== null;
  const probes = probesFor(seen, zone).slice(0, MAX_PROBES);
  const hits = await Promise.all(
    probes.map(async (probe): Promise<Misplaced[]> => {
      const message = await ask({ name: probe.name, type });
      const values = message ? recordAnswer({ wanted }, message, probe.name).values : [];
      const value = values.find(isLike);
      return value === undefined || probe.kind === "token_as_host"
        ? []
        : [{ ...probe, value, others: new Set(values).size - 1, servers: [] }];
    }),
  );
  seen.misplaced = hits.flat();
  const present = await Promise.all(
    OTHER_TYPES[type].map(async (one) => ({
      type: one,
      data: answer.alias ? [] : dataAt(await ask({ name, type: one }), name, one),
    })),
  );
  const there = present.filter(({ data }) => data.length > 0);
  seen.typesAtName = there.map((one) => one.type);
  if (type === "CNAME") seen.instead = there;
  const { alias, values } = answer;
  const own = alias ? [`CNAME ${alias.target}`] : values;
  const [some = { type, data: own }] = own.length > 0 ? [] : there;
  if (name === zone || some.data.length === 0) seen.wildcard = false;
  else seen.wildcard = await wildcardOf(ask, zone, name, some.type, some.data);
  if (seen.wildcard !== false) seen.misplaced = [];
}

async function targetOf(
  { servers, token }: Observation,
  ask: (question: Question) => Promise<Message | null>,
): Promise<Observation["target"]> {
  const values = servers[0]?.answer?.values ?? [];
  const name = values.includes(token) ? token : (values[0] ?? token);
  const message = await ask({ name, type: "A" });
  const answers = message?.answers ?? [];
  const addresses = answers.flatMap((one) => (one.type === "A" ? one.address : []));
  return message && { exists: message.rcode !== "NXDOMAIN", addresses };
}

/** Null if nothing usable comes back in time. */
async function exchange(url: string, question: Question, signal: AbortSignal) {
  const query = buildQuery(question, { recursion: true });
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/dns-message", accept: "application/dns-message" },
      body: new Uint8Array(query.bytes),
      redirect: "manual",
      signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]),
    });
    const bytes = Buffer.from(response.ok ? await response.arrayBuffer() : new ArrayBuffer(0));
    if (bytes.length > MAX_MESSAGE || matchQuestion(bytes, query) === "none") return null;
    return decodeMessage(bytes);
  } catch {
    return null;
  }
}
