import { evidenceOf } from "../verdict/evidence.ts";
import type { Observation } from "../verdict/observation.ts";
import { probesFor } from "../verdict/probes.ts";
import { answersOf } from "../verdict/seen.ts";
import type { QuestionType } from "../wire/query.ts";
import { shuffled } from "../wire/random.ts";
import { authoritative } from "./authority.ts";
import { findMisplaced, findWrongType } from "./misplaced.ts";
import { readFormer, readParent, readUnlisted } from "./other-servers.ts";
import type { Read } from "./read.ts";
import type { ChallengeQuestion } from "./reader.ts";
import type { Answering, Cut } from "./referral.ts";
import { type Ask, dataAt, wildcardOf } from "./wildcard.ts";

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
