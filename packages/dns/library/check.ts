import { isAskable } from "../names.ts";
import type { Reader } from "../resolve/reader.ts";
import type { Progress } from "../verdict/decide.ts";
import type { Awaits, Diagnosis, Wait } from "../verdict/diagnosis.ts";
import { escapeUntrusted } from "../verdict/escape-untrusted.ts";
import type { RecordType, Evidence as Seen } from "../verdict/observation.ts";
import { judgeRecord, type Nearest, type RecordCode } from "../verdict/record.ts";
import { memoryOf } from "../verdict/standing.ts";
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
  /** The first that was asked for. */
  value: string;
  outcome: "found" | "absent" | "unresolvable";
  /** Null unless absent, and while only time is needed. */
  code: RecordCode | null;
  /** What was asked: "resolvers" is weaker, since they may keep an old answer or be told another one. */
  assurance: "nameservers" | "resolvers";
  /** The facts of a code that is one of the thirteen. */
  diagnosis: Diagnosis | null;
  headline: string | null;
  awaits: Awaits | null;
  /** What the end of `fix` says, for fields with a button to copy. */
  pastes: Paste[];
  /** `diff`: what turns it into the value that it is like. */
  nearest: (Nearest & { diff: Run[] }) | null;
  /** How many other values are at the name. */
  others: number;
  /** The aliases that were followed, in turn. */
  aliases: Alias[];
  /** Of a CNAME: whether its target exists; null if that was not read. */
  target: { exists: boolean } | null;
  vendor: Vendor | null;
  /** When to ask again, where nothing but time is needed. */
  wait: Wait | null;
  /** Registry, nameservers and resolvers as the check saw them, escaped and bounded; the map of a record shows it. */
  where: Seen;
  progress: Progress;
  packets: number;
};
export type Alias = { name: string; target: string };

export type CheckContext = {
  reader: Pick<Reader, "readChallenge">;
  signal: AbortSignal;
  /** Of the same record: waits and a second read are counted from there. */
  before?: Check | undefined;
  /** Whether somebody waits, so that its packets go first; default yes. */
  isAwaited?: () => boolean;
};

/** As most verifiers do. */
const MAX_ALIASES = 4;
/** No alias is followed or confirmed later than this after the start. */
const FOLLOWED_MS = 20_000;

type Read = Awaited<ReturnType<typeof readRecord>>;

async function readRecord(
  { type, values }: Pick<RecordQuery, "type" | "values">,
  { label, domain }: Pick<RecordQuery, "label" | "domain">,
  { reader, signal, before, isAwaited = () => true }: CheckContext,
  isPlain = false,
) {
  const [token, ...accepted] = values;
  const question = { label, domain, token, type, accepted, isAwaited, isPlain };
  const raw = await reader.readChallenge(question, signal);
  const { seen: where, ...judged } = judge(raw, before && { ...before, seen: before.where });
  // What a resolver says is no word of theirs.
  if (raw.byResolvers) where.servers = [];
  const said = explain({ ...judged, seen: where });
  const { name: zone = null, provider = "other" } = said.zone ?? {};
  const isAnybodys = true as const;
  const place: RecordLocation = { label, domain, zone, token, provider, type, isAnybodys };
  return { ...judged, where, raw, said, place };
}

const aliasOf = ({ raw }: Read): string | null => {
  const [alias] = raw.servers.flatMap(({ answer }) => answer?.alias ?? []);
  return alias?.type === "CNAME" && alias.name === raw.challengeName
    ? escapeUntrusted(alias.target)
    : null;
};

/** Follows the aliases of a TXT record. `leads`: where the last one leads, null without any. */
async function follow(
  asked: RecordQuery,
  context: CheckContext,
  first: Read,
  isLate: () => boolean,
) {
  const aliases: Alias[] = [];
  let packets = first.raw.packets;
  for (let last = first; ; packets += last.raw.packets) {
    const target = asked.type === "TXT" ? aliasOf(last) : null;
    const name = last.raw.challengeName;
    if (target === null) {
      const how = isMissing(last) ? "missing" : "elsewhere";
      const leads = aliases.length > 0 ? ({ target: name, how, place: last.place } as const) : null;
      return { aliases, last, leads, packets };
    }
    const isLoop = [asked.name, ...aliases.map((one) => one.target)].includes(target);
    const isTooLong = aliases.length === MAX_ALIASES;
    const isOdd = !/^[a-z0-9_.-]+$/.test(target) || !isAskable(target);
    const how = isLoop ? "loop" : isTooLong ? "too_many" : isOdd ? "odd" : null;
    const leads = how && ({ target, how, place: last.place } as const);
    if (leads) return { aliases, last, leads, packets };
    if (isLate()) return { aliases, last: unread(last), leads: null, packets };
    aliases.push({ name, target });
    last = await readRecord(asked, splitName(target), context, true);
  }
}

function unread(read: Read): Read {
  const decision = { outcome: "unresolvable" } as const;
  return { ...read, decision, said: explain({ ...read, seen: read.where, decision }) };
}

const isMissing = ({ raw: { delegation, servers } }: Read): boolean =>
  delegation.type === "none" || servers.every(({ answer }) => answer?.rcode === "NXDOMAIN");

/** A second read, where nameservers are silent, is asked of the value alone. */
const isHeld = ({ decision }: Read): boolean => {
  if (decision.outcome !== "absent") return decision.outcome === "found";
  const { wait } = decision;
  return wait?.reason === "nameserver_sync" && wait.observed?.secondRead === true;
};

/** Of CNAMEs that lead to the value: each must be as a value must. None after one that is not. */
async function readAliases(
  { aliases, last }: { aliases: readonly Alias[]; last: Read },
  context: CheckContext,
  isLate: () => boolean,
): Promise<Read[]> {
  const reads: Read[] = [];
  for (const { name, target } of aliases) {
    if (!reads.every(isHeld)) break;
    if (isLate()) return [...reads, { ...unread(last), raw: { ...last.raw, packets: 0 } }];
    const asked = { type: "CNAME", values: [target] } as const;
    reads.push(await readRecord(asked, splitName(name), context, true));
  }
  return reads;
}

const LACKING: readonly string[] = [
  ...["record_absent", "no_matching_record", "foreign_token", "cname_conflict"],
];

/** Whether the record is on all nameservers and public resolvers see it, and what is wrong if not. */
export async function checkRecord(asked: RecordQuery, context: CheckContext): Promise<Check> {
  const { name, type, values } = asked;
  const first = await readRecord(asked, asked, context);
  const started = performance.now();
  const isLate = () => performance.now() - started > FOLLOWED_MS;
  const followed = await follow(asked, context, first, isLate);
  const { aliases, last, leads, packets } = followed;
  const diagnosed = last.decision.outcome === "absent" ? last.decision.diagnosis : null;
  const isNowhere = last.raw.delegation.type === "none";
  const isLacking = isNowhere || (diagnosed !== null && LACKING.includes(diagnosed.code));
  // A wildcard's alias is in nobody's way, and a value that is the target of one is no alias at all.
  const isOthers = leads !== null && !leads.target.includes(values[0].toLowerCase());
  const isElsewhere = isLacking && isOthers && typeof first.raw.wildcard !== "string";
  const cnames =
    last.decision.outcome === "found" ? await readAliases(followed, context, isLate) : [];
  const loose = cnames.find((one) => !isHeld(one));
  const read = loose ?? (isLacking && !isElsewhere ? first : last);
  const { decision, where, progress, place, said } = read;
  const { diagnosis = null, wait = null } = decision.outcome === "absent" ? decision : {};
  const judged = judgeRecord(read.raw, decision, loose ? [place.token] : values);
  const code = isElsewhere ? "alias_elsewhere" : judged.code;
  const vendor = vendorOf(asked);
  const { nearest, others } = loose ? { nearest: null, others: 0 } : judged;
  const facts = { diagnosis, seen: where, nearest, others, vendor: vendor?.name ?? null, leads };
  const words = code && recordWords({ ...facts, code }, isElsewhere ? first.place : place);
  const cause = words?.cause ?? said.cause;
  const ofAlias = `The value is behind the CNAME at ${read.raw.challengeName}. At that CNAME: `;
  return {
    ...{ name, type, value: values[0], outcome: decision.outcome, code, diagnosis },
    assurance: where.byResolvers ? "resolvers" : "nameservers",
    ...{ ...said, ...(words && { fix: words.fix }) },
    cause: loose && cause && decision.outcome === "absent" ? ofAlias + cause : cause,
    ...{ headline: words?.headline ?? null, awaits: diagnosis?.awaits ?? null },
    pastes: words?.pastes ?? [],
    nearest: nearest && { ...nearest, diff: difference(nearest.value, nearest.wanted) },
    ...{ others, aliases, vendor, where, progress },
    packets: cnames.reduce((all, { raw }) => all + raw.packets, packets),
    wait: wait ?? (code && where.byResolvers ? denialOf(where) : null),
    target: where.target ? { exists: where.target.exists } : null,
  };
}

/** A resolver that denied the record asks anew only once it has forgotten that. */
const denialOf = ({ at, durationMs, soa, witnesses }: Seen): Wait => {
  const kept = (witnesses ?? [])
    .filter(({ answer }) => answer)
    .map((one) => memoryOf(one, { soa }));
  return { reason: "negative_cache", until: at + durationMs + 1000 * Math.max(0, ...kept) };
};

/** When a record was last seen, and since when checks find it missing; epoch milliseconds. */
export type LastSeen = { seenAt: number | null; missingSince: number | null };

const UNSURE: readonly string[] = [
  ...["negative_cache", "not_published", "servfail", "lame_delegation"],
];

/** After a further check. What could not be read, or only needs time, says neither. */
export function lastSeen(before: LastSeen | null, check: Check): LastSeen {
  const { outcome, code, where } = check;
  const { at } = where;
  if (outcome === "found") return { seenAt: at, missingSince: null };
  const { seenAt = null, missingSince = null } = before ?? {};
  const isMissing = code !== null && !UNSURE.includes(code);
  return { seenAt, missingSince: isMissing ? (missingSince ?? at) : missingSince };
}
