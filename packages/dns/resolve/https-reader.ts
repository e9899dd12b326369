import { isRegistry, joined, ownedName, parentOf } from "../names.ts";
import { corruptionOf, probesFor } from "../verdict/near-misses.ts";
import { type Observation, rcodeFailure, type WitnessReading } from "../verdict/observation.ts";
import { hasToken } from "../verdict/publication-status.ts";
import {
  buildQuery,
  decodeMessage,
  MAX_MESSAGE_OCTETS,
  type Message,
  matchQuestion,
  shuffled,
} from "../wire/message.ts";
import { nameserversIn, noteAccepted, recordAnswer, soaOf } from "./authority.ts";
import { emptyObservation } from "./read-challenge.ts";
import { type ChallengeQuestion, type Reader, type WantedRecord, wantedIn } from "./reader.ts";
import { type Ask, dataAt, wildcardOf } from "./wildcards.ts";

/** A resolver that answers over HTTPS (RFC 8484). */
export type HttpsResolver = { name: string; url: string };

const DEFAULT_RESOLVERS: readonly HttpsResolver[] = [
  { name: "cloudflare", url: "https://cloudflare-dns.com/dns-query" },
  { name: "google", url: "https://dns.google/dns-query" },
  { name: "quad9", url: "https://dns.quad9.net/dns-query" },
];

const ANSWER_TIMEOUT_MS = 5_000;
const MAX_PROBES = 24;
const OTHER_TYPES = { TXT: ["A", "AAAA", "MX"], CNAME: ["A", "AAAA", "TXT"] } as const;
const EMPTY_ANSWER = { rcode: "NOERROR", values: [], ttl: null, alias: null, soa: null };

/** A reader that asks only resolvers, for when no nameserver can be asked. It needs only `fetch`. */
export const httpsReader = (resolvers = DEFAULT_RESOLVERS): Pick<Reader, "readChallenge"> => ({
  readChallenge: (question, signal) => readFromResolvers(resolvers, question, signal),
});

async function readFromResolvers(
  resolvers: readonly HttpsResolver[],
  question: ChallengeQuestion,
  signal: AbortSignal,
): Promise<Observation> {
  signal.throwIfAborted();
  const startedAt = performance.now();
  const { domain, label, token } = question;
  const wanted = wantedIn(question);
  const { type } = wanted;
  const seen = emptyObservation({ at: Date.now(), exchanges: [] }, question);
  const name = joined(label, domain);
  const askVia =
    ({ url }: HttpsResolver): Ask =>
    (query) => {
      seen.packets += 1;
      return exchange(url, query, signal);
    };

  // Resolvers are asked one at a time, because one that is asked too early caches its denial.
  const readings = new Map<HttpsResolver, Partial<WitnessReading>>();
  const messages: (Message | null)[] = [];
  const holders = () => [...readings].filter(([, { answer }]) => answer && hasToken(answer, token));
  for (const resolver of shuffled(resolvers)) {
    const message = await askVia(resolver)({ name, type });
    messages.push(message);
    const failure = message ? rcodeFailure(message.rcode) : "timeout";
    const answer = message && !failure ? recordAnswer({ wanted }, message, name) : null;
    const { ad = false, extendedErrors = [] } = message ?? {};
    readings.set(resolver, { result: failure ?? "answered", answer, ad, extendedErrors });
    if (holders().length * 2 > resolvers.length || (answer && !hasToken(answer, token))) break;
  }
  const firstAnswer = [...holders(), ...readings].find(([, { answer }]) => answer);
  const haveAllFailed = [...readings.values()].every(({ result }) => result === "servfail");
  const answer = firstAnswer?.[1].answer ?? (haveAllFailed ? EMPTY_ANSWER : null);
  const ask: Ask = firstAnswer ? askVia(firstAnswer[0]) : async () => null;

  // Behind a CNAME, the SOA is that of the target's zone.
  let soa = answer?.alias ? null : (answer?.soa ?? null);
  for (const owner of new Set([name, domain, ownedName(domain)])) {
    const message = soa ? null : await ask({ name: owner, type: "SOA" });
    const isNoAlias = message?.answers.every((record) => record.type !== "CNAME");
    if (message && isNoAlias) soa = soaOf(message);
  }
  const zone = soa?.zone ?? domain;
  const isDelegated = soa === null || !isRegistry(zone, domain);
  const ns = isDelegated ? await ask({ name: zone, type: "NS" }) : null;
  const nameservers = [...new Set(ns ? nameserversIn(ns, zone) : [])].sort();
  const hosts = nameservers.length > 0 ? nameservers : [zone];
  noteAccepted(seen, messages, wanted);
  // For the decision, a resolver's answer counts as that of every nameserver.
  const result = answer ? ("answered" as const) : ("timeout" as const);
  Object.assign(seen, {
    ...{ soa, byResolvers: true, limit: answer ? null : "deadline" },
    servers: hosts.map((host) => ({ host, address: null, result, answer, latencyMs: null })),
    delegation: isDelegated
      ? { type: "delegated", zone, parent: parentOf(zone), nameservers, ttl: 0 }
      : { type: "none", parent: zone, rcode: answer?.rcode },
    witnesses: resolvers.map((resolver) => ({
      ...{ name: resolver.name, address: resolver.url, result: "unasked", answer: null, ad: false },
      ...{ extendedErrors: [], uncheckedRcode: null, latencyMs: null, nameservers: hosts },
      ...readings.get(resolver),
    })),
  });
  if (hasToken(answer, token)) {
    seen.confirmation = { host: hosts[0] ?? zone, address: "", confirmed: true };
    seen.validation = { verdict: "indeterminate", reason: { type: "no_anchor" } };
  } else if (firstAnswer && isDelegated && !question.isPlain) await search(seen, zone, wanted, ask);
  if (type === "CNAME" && firstAnswer && isDelegated && !question.isPlain)
    seen.target = await targetOf(seen, ask);
  seen.durationMs = Math.round(performance.now() - startedAt);
  signal.throwIfAborted();
  return seen;
}

/** Looks for other types at the name, and for the record at wrong names; resolvers may cache that these do not exist. */
async function search(seen: Observation, zone: string, wanted: WantedRecord, ask: Ask) {
  const { challengeName: name, token, servers } = seen;
  const { alias, values } = servers[0]?.answer ?? EMPTY_ANSWER;
  const isSimilar = (value: string) => value === token || corruptionOf(value, token) !== null;
  const probes = probesFor(seen, zone).filter(({ kind }) => kind !== "token_as_host");
  const found = await Promise.all(
    probes.slice(0, MAX_PROBES).map(async (probe) => {
      const message = await ask({ name: probe.name, type: wanted.type });
      const texts = message ? recordAnswer({ wanted }, message, probe.name).values : [];
      const value = texts.find(isSimilar);
      const others = new Set(texts).size - 1;
      return value === undefined ? [] : [{ ...probe, value, others, servers: [] }];
    }),
  );
  const targets = alias ? [alias.target] : wanted.type === "CNAME" ? values : [];
  const recordSets = await Promise.all(
    OTHER_TYPES[wanted.type].map(async (type) => ({
      type,
      data: targets.length > 0 ? [] : dataAt(await ask({ name, type }), name, type),
    })),
  );
  const otherRecords = recordSets.filter(({ data }) => data.length > 0);
  seen.typesAtName = otherRecords.map(({ type }) => type);
  if (wanted.type === "CNAME") seen.instead = otherRecords;
  const data = targets.length > 0 ? targets.map((target) => `CNAME ${target}`) : values;
  const [first] = [{ type: wanted.type, data }, ...otherRecords].filter(
    ({ data }) => data.length > 0,
  );
  const isAlone = name === zone || !first;
  seen.wildcard = !isAlone && (await wildcardOf(ask, zone, { name, type: first.type }, first.data));
  seen.misplaced = seen.wildcard === false ? found.flat() : [];
}

async function targetOf({ servers, token }: Observation, ask: Ask): Promise<Observation["target"]> {
  const { values } = servers[0]?.answer ?? EMPTY_ANSWER;
  const name = values.includes(token) ? token : (values[0] ?? token);
  const message = await ask({ name, type: "A" });
  const answers = message?.answers ?? [];
  const addresses = answers.flatMap((record) => (record.type === "A" ? record.address : []));
  return message && { exists: message.rcode !== "NXDOMAIN", addresses };
}

/** Asks one question; null if no usable answer comes in time. */
async function exchange(url: string, question: Parameters<Ask>[0], signal: AbortSignal) {
  const query = buildQuery(question, { recursion: true });
  // AbortSignal.timeout would go on after an answer that is not read to its end.
  const timeLimit = new AbortController();
  const timer = setTimeout(() => timeLimit.abort(), ANSWER_TIMEOUT_MS);
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/dns-message", accept: "application/dns-message" },
      body: new Uint8Array(query.bytes),
      redirect: "manual",
      signal: AbortSignal.any([signal, timeLimit.signal]),
    });
    const bytes = response.ok && (await bodyOf(response));
    return bytes && matchQuestion(bytes, query) !== "none" ? decodeMessage(bytes) : null;
  } catch {
    return null;
  } finally {
    clearTimeout(timer);
  }
}

/** Reads a body; null if it is longer than any DNS message, without reading the rest. */
async function bodyOf({ body }: Response): Promise<Buffer | null> {
  const chunks: Uint8Array[] = [];
  let octetsLeft = MAX_MESSAGE_OCTETS;
  for await (const chunk of body ?? []) {
    chunks.push(chunk);
    octetsLeft -= chunk.length;
    if (octetsLeft < 0) return null;
  }
  return Buffer.concat(chunks);
}
