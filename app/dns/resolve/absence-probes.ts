import { labelsOf, parentOf } from "../names.ts";
import { evidenceOf } from "../verdict/evidence.ts";
import type { Misplaced, Observation, TxtAnswer } from "../verdict/observation.ts";
import { type Probe, probesFor } from "../verdict/probes.ts";
import { answersOf } from "../verdict/seen.ts";
import { corruptionOf, takeDistinct } from "../verdict/token-corruption.ts";
import type { QuestionType } from "../wire/query.ts";
import { shuffled } from "../wire/random.ts";
import { authoritative, readTxt } from "./authority.ts";
import { readFormer, readParent, readUnlisted } from "./other-servers.ts";
import type { Read } from "./read.ts";
import type { ChallengeQuestion } from "./reader.ts";
import type { Answering, Cut } from "./referral.ts";
import { type Ask, dataAt, randomSibling, wildcardOf } from "./wildcard.ts";

/** Types that may have been created at H.D instead of TXT; a CNAME shows in the answer to TXT. */
const OTHER_TYPES: QuestionType[] = ["A", "AAAA", "MX", "SPF"];

/**
 * No server has the token at H.D: finds what is there instead, at which wrong names the token is, and whether servers
 * outside the delegation have it. `holder`: the zone that holds D; `former`: nameservers of earlier reads.
 */
export async function probeAbsence(
  read: Read,
  seen: Observation,
  cut: Cut,
  holder: string,
  answering: readonly Answering[],
  former: readonly string[],
): Promise<void> {
  const [first] = answering;
  if (!first) return;
  const moved = former.filter((host) => !cut.nameservers.includes(host));
  const [, misplaced] = await Promise.all([
    readName(read, seen, cut.zone, answering),
    cut.zone === holder
      ? findMisplaced(read, seen, holder, answering, probesFor(seen, holder))
      : [],
    readUnlisted(read, seen, cut, answering, moved),
    readFormer(read, seen, cut, moved),
    readParent(read, seen, cut),
  ]);
  seen.misplaced = [...seen.misplaced, ...misplaced];
}

/** What a read may cost in which nothing has changed. */
const REPEAT_PACKETS = 12;
/** What a record at a wrong name costs: the name, on the other server too, and a sibling. */
const HIT_PACKETS = 3;
/** How many of the wrong names at which nothing was found such a read asks: about one in five. */
const OTHER_NAMES = 4;

/**
 * No server has the token, as in the read before: if they all give the same answers, what that one found still holds.
 * Because a serial need not move with changes, some wrong names are asked again: those with the record, and others at
 * random. False, with nothing found, if anything has changed.
 */
export async function repeatAbsence(
  read: Read,
  seen: Observation,
  zone: string,
  holder: string,
  answering: readonly Answering[],
  before: ChallengeQuestion["before"],
): Promise<boolean> {
  const earlier = before?.();
  if (earlier?.answers !== answersOf(evidenceOf(seen)) || read.limit !== null) return false;
  const { unlisted, former, parent, typesAtName, wildcard, misplaced } = earlier.findings;
  if (zone === holder) {
    const room = Math.max(0, REPEAT_PACKETS - read.packets);
    const probes = probesFor(seen, holder);
    const hits = misplaced.map(({ name }) => name);
    const held = probes
      .filter(({ name }) => hits.includes(name))
      .slice(0, Math.floor(room / HIT_PACKETS));
    const others = shuffled(probes.filter(({ name }) => !hits.includes(name)));
    const rest = Math.min(OTHER_NAMES, room - held.length * HIT_PACKETS);
    const asked = [...held, ...others.slice(0, rest)];
    const found = await findMisplaced(read, seen, holder, answering, asked);
    const names = found.map(({ name }) => name);
    if (names.length !== held.length || held.some(({ name }) => !names.includes(name)))
      return false;
  }
  Object.assign(seen, { unlisted, former, parent, typesAtName, wildcard, misplaced });
  return true;
}

/** Reads what is at the challenge name, and whether a wildcard synthesises it. */
async function readName(
  read: Read,
  seen: Observation,
  zone: string,
  answering: readonly Answering[],
): Promise<void> {
  const { challengeName: name } = seen;
  const ask: Ask = async (question) => {
    for (const server of answering.slice(0, 2)) {
      const message = await authoritative(read, zone, server, question);
      if (message) return message;
    }
    return null;
  };
  const answers = seen.servers.flatMap((server) => server.answer ?? []);
  const foreign = answers.find((answer) => answer.values.length > 0 || answer.alias !== null);
  if (foreign) {
    const { alias, values } = foreign;
    // A DNAME also answers for names below it, but the answer already names it.
    if (alias?.type === "DNAME") return;
    const data = alias ? [`CNAME ${alias.target}`] : values;
    seen.wildcard = await wildcardOf(ask, zone, name, "TXT", data);
    return;
  }
  if (answers.every((answer) => answer.rcode !== "NOERROR")) return;
  const found = await Promise.all(
    OTHER_TYPES.map(async (type) => ({
      type,
      data: dataAt(await ask({ name, type }), name, type),
    })),
  );
  const present = found.filter(({ data }) => data.length > 0);
  seen.typesAtName = present.map(({ type }) => type);
  const [some] = present;
  if (!some) return;
  seen.wildcard = await wildcardOf(ask, zone, name, some.type, some.data);
  if (seen.wildcard !== false) return;
  seen.misplaced = await findWrongType(read, seen, zone, answering, present);
}

/** Limit on the UTF-16 units of an answer that are searched for a damaged token. */
const MAX_SEARCHED = 4 * 1024;

/**
 * Queries these wrong names on one of the two fastest servers, alternately. A hit must also show on the other server, if
 * there is one, and not at a random sibling, where it would come from a wildcard.
 */
async function findMisplaced(
  read: Read,
  seen: Observation,
  zone: string,
  answering: readonly Answering[],
  probes: readonly Probe[],
): Promise<Misplaced[]> {
  const [fastest, next] = answering;
  if (!fastest) return [];
  const found = await Promise.all(
    probes.map(async (probe, index): Promise<Misplaced[]> => {
      const [first, second] = next && index % 2 === 1 ? [next, fastest] : [fastest, next];
      const answer = await readTxt(read, zone, first, probe.name);
      const value = valueAt(probe, seen.token, answer);
      if (answer === null || value === null) return [];
      const [confirmed, wildcard] = await Promise.all([
        second ? readTxt(read, zone, second, probe.name) : null,
        isWildcard(read, zone, first, probe, value),
      ]);
      if (wildcard || (second && valueAt(probe, seen.token, confirmed) === null)) return [];
      const servers = second ? [first.host, second.host] : [first.host];
      const others = new Set(answer.values.filter((one) => one !== value)).size;
      return [{ ...probe, value, others, servers }];
    }),
  );
  return found.flat();
}

/** Types whose data can hold the token. */
const HOLDING = { MX: "mx_target", SPF: "spf_type" } as const;

/**
 * Looks for the token at the challenge name in a record of another type. `present`: the data of each type from the
 * first server; a second server, if there is one, must confirm it.
 */
async function findWrongType(
  read: Read,
  seen: Observation,
  zone: string,
  [first, second]: readonly Answering[],
  present: readonly { type: QuestionType; data: readonly string[] }[],
): Promise<Misplaced[]> {
  const { challengeName: name, token } = seen;
  const holding = (data: readonly string[]) =>
    takeDistinct(data, MAX_SEARCHED).find(
      (value) => value.includes(token) || corruptionOf(value, token),
    );
  for (const { type, data } of present) {
    const value = holding(data);
    if (!first || value === undefined || (type !== "MX" && type !== "SPF")) continue;
    const message = second && (await authoritative(read, zone, second, { name, type }));
    if (second && holding(dataAt(message ?? null, name, type)) === undefined) continue;
    const servers = second ? [first.host, second.host] : [first.host];
    return [{ kind: HOLDING[type], name, value: value.replace(/^MX /, ""), others: 0, servers }];
  }
  return [];
}

/** The evidence in an answer: the token or a damaged form; for the token used as a host, that the name exists. */
function valueAt(probe: Probe, token: string, answer: TxtAnswer | null): string | null {
  if (!answer) return null;
  if (probe.kind === "token_as_host") {
    return answer.rcode === "NOERROR" ? (answer.values[0] ?? "") : null;
  }
  if (answer.values.includes(token)) return token;
  return (
    takeDistinct(answer.values, MAX_SEARCHED).find((value) => corruptionOf(value, token)) ?? null
  );
}

async function isWildcard(
  read: Read,
  zone: string,
  server: Answering,
  probe: Probe,
  value: string,
): Promise<boolean> {
  // Siblings of the zone apex belong to the registry.
  if (labelsOf(parentOf(probe.name)).length < labelsOf(zone).length) return false;
  const sibling = randomSibling(probe.name);
  const answer = sibling && (await readTxt(read, zone, server, sibling));
  if (!answer) return true;
  if (probe.kind === "token_as_host") return answer.rcode !== "NXDOMAIN";
  return answer.values.includes(value);
}
