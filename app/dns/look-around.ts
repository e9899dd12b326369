import { findMisplaced } from "./misplaced.ts";
import { randomSibling } from "./names.ts";
import type { Observation, TxtAnswer } from "./observation.ts";
import type { QuestionType } from "./query.ts";
import { MAX_NAMESERVERS, type Read } from "./read.ts";
import type { Answering, Cut } from "./referral.ts";
import { askServers, authoritative, readingOf, readTxt } from "./servers.ts";

/** Types a panel may have put at H.D instead of TXT; a CNAME shows in the answer to TXT itself. */
const OTHER_TYPES: QuestionType[] = ["A", "AAAA", "MX"];

/**
 * The token is at its place on no server: what else stands there, which servers the registry does
 * not list, and at which wrong names the token is. `holder`: the zone that holds D.
 */
export async function lookAround(
  read: Read,
  seen: Observation,
  cut: Cut,
  holder: string,
  answering: readonly Answering[],
): Promise<void> {
  const [first] = answering;
  if (!first) return;
  const [unlisted, wildcard, types, misplaced] = await Promise.all([
    readUnlisted(read, seen, cut, answering),
    foreignAnswer(seen) ? readWildcard(read, seen, cut.zone, first) : null,
    nothingElse(seen) ? readTypes(read, seen, cut.zone, first) : [],
    cut.zone === holder ? findMisplaced(read, seen, holder, answering) : [],
  ]);
  seen.unlisted = unlisted;
  seen.wildcard = wildcard;
  seen.typesAtName = types;
  seen.misplaced = misplaced;
}

const answersIn = (seen: Observation) => seen.servers.flatMap((server) => server.answer ?? []);

function foreignAnswer(seen: Observation): boolean {
  return answersIn(seen).some((answer) => answer.values.length > 0 || answer.alias !== null);
}

function nothingElse(seen: Observation): boolean {
  return !foreignAnswer(seen) && answersIn(seen).some((answer) => answer.rcode === "NOERROR");
}

/** TXT at the challenge name on servers that only the zone itself names: two of its servers, where there are two. */
async function readUnlisted(
  read: Read,
  seen: Observation,
  cut: Cut,
  [first, second]: readonly Answering[],
) {
  const own = await ownNames(read, cut, first);
  for (const host of cut.nameservers) own.delete(host);
  const confirmed = own.size > 0 && second ? await ownNames(read, cut, second) : own;
  const room = Math.max(0, MAX_NAMESERVERS - cut.nameservers.length);
  const hosts = [...own]
    .filter((host) => confirmed.has(host))
    .sort()
    .slice(0, room);
  const name = seen.challengeName;
  const said = await askServers(read, cut.zone, hosts, { name, type: "TXT" });
  return said.map((one) => readingOf(one, name));
}

/** The nameservers that a server of the zone names itself. */
async function ownNames(read: Read, cut: Cut, server: Answering | undefined): Promise<Set<string>> {
  const question = { name: cut.zone, type: "NS" } as const;
  const message = server && (await authoritative(read, cut.zone, server, question));
  return new Set(
    message?.answers.flatMap((record) =>
      record.type === "NS" && record.name === cut.zone ? record.target : [],
    ),
  );
}

/** Whether a random sibling of the challenge name answers the same. */
async function readWildcard(read: Read, seen: Observation, zone: string, server: Answering) {
  const sibling = randomSibling(seen.challengeName);
  const answer = sibling && (await readTxt(read, zone, server, sibling));
  if (!answer) return null;
  const [own] = answersIn(seen).filter((one) => one.values.length > 0 || one.alias !== null);
  return own !== undefined && sameAnswer(own, answer);
}

function sameAnswer(a: TxtAnswer, b: TxtAnswer): boolean {
  if (a.alias || b.alias) return a.alias?.target === b.alias?.target;
  const values = new Set(b.values);
  return a.values.some((value) => values.has(value));
}

async function readTypes(read: Read, seen: Observation, zone: string, server: Answering) {
  const name = seen.challengeName;
  const present = await Promise.all(
    OTHER_TYPES.map(async (type) => {
      const message = await authoritative(read, zone, server, { name, type });
      const found = message?.answers.some((record) => record.type === type && record.name === name);
      return found ? [type] : [];
    }),
  );
  return present.flat();
}
