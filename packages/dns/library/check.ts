import { isQueryable } from "../names.ts";
import type { Reader } from "../resolve/reader.ts";
import type { Progress } from "../verdict/decide.ts";
import type { Awaits, Diagnosis, Wait } from "../verdict/diagnosis.ts";
import { escapeUntrusted } from "../verdict/escape-untrusted.ts";
import type { RecordType, Evidence as Seen } from "../verdict/observation.ts";
import { judgeRecord, type Nearest, type RecordCode } from "../verdict/record.ts";
import { cachedFor } from "../verdict/standing.ts";
import { recordWords } from "../words/diagnoses/record.ts";
import { difference, type Run } from "../words/difference.ts";
import type { RecordLocation } from "../words/providers.ts";
import type { Paste } from "../words/wording.ts";
import { type RecordQuery, splitName } from "./check-question.ts";
import { type Explanation, explain } from "./explain.ts";
import { judge } from "./judge.ts";
import { type Vendor, vendorOf } from "./vendors.ts";

export type Check = Explanation & {
  name: string;
  type: RecordType;
  /** The first of the values asked for. */
  value: string;
  outcome: "found" | "absent" | "unresolvable";
  /** What somebody must correct. Null unless the record is absent, and null while only time is needed. */
  code: RecordCode | null;
  /** Who was asked. "resolvers" is weaker: they may return an old answer, or be deceived. */
  assurance: "nameservers" | "resolvers";
  /** The diagnosis, if `code` is one of the thirteen that claims have. */
  diagnosis: Diagnosis | null;
  headline: string | null;
  awaits: Awaits | null;
  /** The values at the end of `fix`, for fields with a button to copy. */
  pastes: Paste[];
  /** `diff` shows how to turn the nearest value into the one asked for. */
  nearest: (Nearest & { diff: Run[] }) | null;
  /** How many other values the name has. */
  others: number;
  /** The aliases that were followed, in order. */
  aliases: Alias[];
  /** Whether the target of a CNAME exists; null if that was not read. */
  target: { exists: boolean } | null;
  vendor: Vendor | null;
  /** When to ask again, if only time is needed. */
  wait: Wait | null;
  /** Registry, nameservers and resolvers as the check saw them, escaped and bounded; for the path of a record. */
  where: Seen;
  progress: Progress;
  packets: number;
};
export type Alias = { name: string; target: string };

export type CheckContext = {
  reader: Pick<Reader, "readChallenge">;
  signal: AbortSignal;
  /** The last check of the same record, from which waits and a second read are counted. */
  before?: Check | undefined;
  /** Whether somebody waits for the result, so that its packets go first. The default is yes. */
  isAwaited?: () => boolean;
};

/** Most verifiers follow this many aliases. */
const MAX_ALIASES = 4;
/** No alias is followed or confirmed later than this, counted from the start. */
const FOLLOW_TIMEOUT_MS = 20_000;

type Read = Awaited<ReturnType<typeof readRecord>>;

async function readRecord(
  { type, values }: Pick<RecordQuery, "type" | "values">,
  { label, domain }: Pick<RecordQuery, "label" | "domain">,
  { reader, signal, before, isAwaited = () => true }: CheckContext,
  isPlain = false,
) {
  const [token, ...accepted] = values;
  const question = { label, domain, token, type, accepted, isAwaited, isPlain };
  const seen = await reader.readChallenge(question, signal);
  const { seen: where, ...judged } = judge(seen, before && { ...before, seen: before.where });
  // Only a resolver was asked, so there is nothing to say about nameservers.
  if (seen.byResolvers) where.servers = [];
  const explanation = explain({ ...judged, seen: where });
  const { name: zone = null, provider = "other" } = explanation.zone ?? {};
  const place: RecordLocation = { label, domain, zone, token, provider, type, isGeneric: true };
  return { ...judged, where, seen, explanation, place };
}

const aliasOf = ({ seen }: Read): string | null => {
  const [alias] = seen.servers.flatMap(({ answer }) => answer?.alias ?? []);
  return alias?.type === "CNAME" && alias.name === seen.challengeName
    ? escapeUntrusted(alias.target)
    : null;
};

/** Follows the aliases of a TXT record. `aliasEnd` says what is wrong where they lead; null without an alias. */
async function follow(
  query: RecordQuery,
  context: CheckContext,
  first: Read,
  isLate: () => boolean,
) {
  const aliases: Alias[] = [];
  let packets = first.seen.packets;
  for (let last = first; ; packets += last.seen.packets) {
    const target = query.type === "TXT" ? aliasOf(last) : null;
    const name = last.seen.challengeName;
    const end = { target: target ?? name, place: last.place };
    if (target === null) {
      const problem = isMissing(last) ? ("missing" as const) : ("elsewhere" as const);
      return { aliases, last, aliasEnd: aliases.length > 0 ? { ...end, problem } : null, packets };
    }
    const isLoop = [query.name, ...aliases.map((alias) => alias.target)].includes(target);
    const isTooLong = aliases.length === MAX_ALIASES;
    const isUnusable = !/^[a-z0-9_.-]+$/.test(target) || !isQueryable(target);
    const problem = isLoop ? "loop" : isTooLong ? "too_many" : isUnusable ? "odd" : null;
    if (problem) return { aliases, last, aliasEnd: { ...end, problem } as const, packets };
    if (isLate()) return { aliases, last: asUnresolvable(last), aliasEnd: null, packets };
    aliases.push({ name, target });
    last = await readRecord(query, splitName(target), context, true);
  }
}

function asUnresolvable(read: Read): Read {
  const decision = { outcome: "unresolvable" } as const;
  return { ...read, decision, explanation: explain({ ...read, seen: read.where, decision }) };
}

const isMissing = ({ seen: { delegation, servers } }: Read): boolean =>
  delegation.type === "none" || servers.every(({ answer }) => answer?.rcode === "NXDOMAIN");

/** Whether an alias is found. It may still wait for a second read, which only the value itself needs. */
const isAliasFound = ({ decision }: Read): boolean => {
  if (decision.outcome !== "absent") return decision.outcome === "found";
  const { wait } = decision;
  return wait?.reason === "nameserver_sync" && wait.observed?.secondRead === true;
};

/** Reads the CNAMEs that lead to the value, as strictly as the value. Stops at the first that is not found. */
async function readAliases(
  { aliases, last }: { aliases: readonly Alias[]; last: Read },
  context: CheckContext,
  isLate: () => boolean,
): Promise<Read[]> {
  const reads: Read[] = [];
  for (const { name, target } of aliases) {
    if (!reads.every(isAliasFound)) break;
    if (isLate())
      return [...reads, { ...asUnresolvable(last), seen: { ...last.seen, packets: 0 } }];
    const question = { type: "CNAME", values: [target] } as const;
    reads.push(await readRecord(question, splitName(name), context, true));
  }
  return reads;
}

const MISSING_CODES = /^(?:record_absent|no_matching_record|foreign_token|cname_conflict)$/;

/** Whether the record is on all nameservers and public resolvers see it, and what is wrong if not. */
export async function checkRecord(query: RecordQuery, context: CheckContext): Promise<Check> {
  const { name, type, values } = query;
  const first = await readRecord(query, query, context);
  const startedAt = performance.now();
  const isLate = () => performance.now() - startedAt > FOLLOW_TIMEOUT_MS;
  const followed = await follow(query, context, first, isLate);
  const { aliases, last, aliasEnd, packets } = followed;
  const lastCode = "diagnosis" in last.decision ? (last.decision.diagnosis?.code ?? "") : "";
  const isAbsent = last.seen.delegation.type === "none" || MISSING_CODES.test(lastCode);
  // An alias from a wildcard does not block a record, and an alias whose target is the value is no other alias.
  const isOtherAlias = aliasEnd !== null && !aliasEnd.target.includes(values[0].toLowerCase());
  const isElsewhere = isAbsent && isOtherAlias && typeof first.seen.wildcard !== "string";
  const cnames =
    last.decision.outcome === "found" ? await readAliases(followed, context, isLate) : [];
  const failingCname = cnames.find((cname) => !isAliasFound(cname));
  const read = failingCname ?? (isAbsent && !isElsewhere ? first : last);
  const { decision, where, progress, place, explanation } = read;
  const { diagnosis = null, wait = null } = decision.outcome === "absent" ? decision : {};
  const judgement = judgeRecord(read.seen, decision, failingCname ? [place.token] : values);
  const code = isElsewhere ? "alias_elsewhere" : judgement.code;
  const vendor = vendorOf(query);
  const { nearest, others } = failingCname ? { nearest: null, others: 0 } : judgement;
  const facts = { diagnosis, seen: where, nearest, others, vendor: vendor?.name ?? null, aliasEnd };
  const words = code && recordWords({ ...facts, code }, isElsewhere ? first.place : place);
  const cause = words?.cause ?? explanation.cause;
  const aliasPrefix = `The value is behind the CNAME at ${read.seen.challengeName}. At that CNAME: `;
  return {
    ...{ name, type, value: values[0], outcome: decision.outcome, code, diagnosis },
    assurance: where.byResolvers ? "resolvers" : "nameservers",
    ...{ ...explanation, ...(words && { fix: words.fix }) },
    cause: failingCname && cause && decision.outcome === "absent" ? aliasPrefix + cause : cause,
    ...{ headline: words?.headline ?? null, awaits: diagnosis?.awaits ?? null },
    pastes: words?.pastes ?? [],
    nearest: nearest && { ...nearest, diff: difference(nearest.value, nearest.wanted) },
    ...{ others, aliases, vendor, where, progress },
    packets: cnames.reduce((all, { seen }) => all + seen.packets, packets),
    wait: wait ?? (code && where.byResolvers ? denialWait(where) : null),
    target: where.target ? { exists: where.target.exists } : null,
  };
}

/** A resolver that denied the record asks again only once its cached denial has expired. */
const denialWait = ({ at, durationMs, soa, witnesses }: Seen): Wait => {
  const answering = (witnesses ?? []).filter(({ answer }) => answer);
  const lifetimes = answering.map((witness) => cachedFor(witness, { soa }));
  return { reason: "negative_cache", until: at + durationMs + 1000 * Math.max(0, ...lifetimes) };
};

/** When a record was last seen, and since when checks find it missing; epoch milliseconds. */
export type LastSeen = { seenAt: number | null; missingSince: number | null };

const UNSURE_CODES = /^(?:negative_cache|not_published|servfail|lame_delegation)$/;

/** Adds the result of one more check. A check that could not read, or only needs time, changes nothing. */
export function lastSeen(before: LastSeen | null, check: Check): LastSeen {
  const { outcome, code, where } = check;
  const { at } = where;
  if (outcome === "found") return { seenAt: at, missingSince: null };
  const { seenAt = null, missingSince = null } = before ?? {};
  const isMissing = code !== null && !UNSURE_CODES.test(code);
  return { seenAt, missingSince: isMissing ? (missingSince ?? at) : missingSince };
}
