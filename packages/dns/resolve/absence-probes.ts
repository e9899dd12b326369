import {
  isBelow,
  isOwnedByOthers,
  isQueryable,
  isRegistry,
  labelsOf,
  parentOf,
  readOctets,
  under,
} from "../names.ts";
import { answersOf, evidenceOf } from "../verdict/evidence.ts";
import {
  corruptionOf,
  type Probe,
  probesFor,
  rareProbesFor,
  takeDistinct,
} from "../verdict/near-misses.ts";
import type { MisplacedRecord, Observation, TxtAnswer } from "../verdict/observation.ts";
import { hasToken } from "../verdict/publication-status.ts";
import { type QuestionType, shuffled } from "../wire/message.ts";
import { askForMessage, nameserversIn, recordAnswer } from "./authority.ts";
import { MAX_DECIDING, MAX_PACKETS, type Read } from "./read.ts";
import type { ChallengeQuestion, Cut, Endpoint } from "./reader.ts";
import { askServers, askZone, firstAddresses, readingOf, walk } from "./walk.ts";
import { type Ask, closestWildcard, dataAt, randomSibling, wildcardOf } from "./wildcards.ts";

/** Other types that may be at the challenge name by mistake; a CNAME shows in the answer to TXT. */
const OTHER_TYPES = {
  TXT: ["A", "AAAA", "MX", "SPF"],
  CNAME: ["A", "AAAA", "MX", "TXT"],
} as const;

/** `answering` are the servers of the zone `cut` that answer, the fastest first. */
export type Search = { read: Read; seen: Observation; cut: Cut; answering: readonly Endpoint[] };

/** Wrong names to ask for: none in a zone below the domain (panels use the zone above), or if the token is damaged. */
function probesIn({ seen, cut }: Search, namesFor = probesFor): Probe[] {
  const values = seen.servers.flatMap(({ answer }) => answer?.values ?? []);
  const hasNoProbes =
    isBelow(cut.zone, seen.domain) || findDamagedValue(values, seen.token) !== undefined;
  return hasNoProbes ? [] : namesFor(seen, cut.zone);
}

const findDamagedValue = (values: readonly string[], token: string) =>
  takeDistinct(values, MAX_SEARCHED_UNITS).find((value) => corruptionOf(value, token));

/** Finds out what is there if no server has the token. `former` are nameservers that earlier reads saw delegated. */
export async function probeAbsence(search: Search, former: readonly string[]): Promise<void> {
  const { seen, cut, answering } = search;
  if (answering.length === 0) return;
  const formerOnly = former.filter((host) => !cut.nameservers.includes(host));
  const [, misplaced, , formerReadings] = await Promise.all([
    readChallengeName(search),
    findMisplaced(search, probesIn(search)),
    readUnlisted(search, formerOnly),
    readTxtOn(search, [...new Set(formerOnly)].filter(isQueryable).slice(0, MAX_FORMER)),
    readParent(search),
  ]);
  seen.former = formerReadings;
  seen.misplaced = [...seen.misplaced, ...misplaced];
}

/** Spends the packets that are left on names that people rarely enter by mistake. */
export async function probeRareNames(search: Search): Promise<void> {
  const { seen, read, answering } = search;
  if (seen.misplaced.length > 0 || answering.length === 0) return;
  seen.misplaced = await findAtTarget(search);
  const probes = probesIn(search, rareProbesFor);
  const answeringAddresses = new Set(answering.map(({ address }) => address));
  for (let at = 0; at < probes.length && seen.misplaced.length === 0; at += MAX_AT_ONCE) {
    const missingNames = read.exchanges.flatMap(({ address, rcode, question: { name } }) =>
      rcode === "NXDOMAIN" && answeringAddresses.has(address) ? name : [],
    );
    // Nothing is below a missing name (RFC 8020). Common names are asked anyway: servers may wrongly deny those above.
    const batch = probes
      .slice(at, at + MAX_AT_ONCE)
      .filter(({ name }) => !missingNames.some((missing) => isBelow(name, missing)));
    const packetsLeft = Math.max(0, MAX_PACKETS - SPARE_PACKETS - read.exchanges.length);
    seen.misplaced = await findMisplaced(search, batch.slice(0, packetsLeft));
  }
}

/** Looks for the record at the target of the domain, in any zone, if the domain is an alias. */
async function findAtTarget(search: Search): Promise<MisplacedRecord[]> {
  const { read, seen, cut, answering } = search;
  const [fastest] = answering;
  if (!fastest || seen.label === "" || !isBelow(seen.domain, cut.zone)) return [];
  const alias = (await readTxt(search, fastest, seen.domain))?.alias;
  const name = alias?.name === seen.domain ? under(seen.label, alias.target) : null;
  if (name === null) return [];
  const { cut: targetCut, answer } = await walk(read, name, read.wanted.type);
  if (!answer || isRegistry(targetCut.zone, name)) return [];
  const { server } = answer;
  const servers = await firstAddresses(read, read.orderOf(targetCut).slice(0, 2));
  const others = servers.filter(({ host }) => host !== server.host);
  const targetSearch = { ...search, cut: targetCut, answering: [server, ...others] };
  return findMisplaced(targetSearch, [{ kind: "alias_target", name }]);
}

/** How many rare names are asked at once. Names below those that are missing are then left out. */
const MAX_AT_ONCE = 16;
/** Packets that are kept for lost answers and to confirm a hit. */
const SPARE_PACKETS = 3;

/** A DNS host has two to four nameservers. If the zone moved twice, only the later move is reported. */
const MAX_FORMER = 4;
const REPEAT_PACKETS = 12;
/** Packets for a record at a wrong name: they ask for the name, for it on the other server, and for a sibling. */
const HIT_PACKETS = 3;
/** Packets for a record at the target of an alias, including those for the alias and on the way there. */
const TARGET_PACKETS = 6;
/** How many wrong names without a record a repeated read asks for: one rare name, and about a sixth of the others. */
const OTHER_NAME_COUNT = 4;

/** Keeps the earlier findings if all answers are the same. Asks some names again, since serials may stay the same. */
export async function reuseFindings(search: Search, readEarlier: ChallengeQuestion["before"]) {
  const { read, seen } = search;
  const earlier = readEarlier?.();
  if (earlier?.answers !== answersOf(evidenceOf(seen)) || read.limit !== null) return false;
  const { unlisted, former, parent, typesAtName, wildcard, misplaced } = earlier.findings;
  const repeatPackets = Math.max(0, REPEAT_PACKETS - read.packets);
  const [probes, rareProbes] = [probesIn(search), probesIn(search, rareProbesFor)];
  const wasHit = ({ name }: Probe) => misplaced.some((hit) => hit.name === name);
  const wasMissed = (probe: Probe) => !wasHit(probe);
  const maxRepeats = Math.floor(repeatPackets / HIT_PACKETS);
  const repeats = [...probes, ...rareProbes].filter(wasHit).slice(0, maxRepeats);
  const rareOnes = shuffled(rareProbes.filter(wasMissed)).slice(0, 1);
  const others = [...rareOnes, ...shuffled(probes.filter(wasMissed))];
  const wasAtTarget = misplaced.some(({ kind }) => kind === "alias_target");
  const spentPackets = repeats.length * HIT_PACKETS + (wasAtTarget ? TARGET_PACKETS : 0);
  const count = Math.min(OTHER_NAME_COUNT, Math.max(0, repeatPackets - spentPackets));
  const findings = await findMisplaced(search, [...repeats, ...others.slice(0, count)]);
  const names = findings.map(({ name }) => name);
  if (names.length !== repeats.length || repeats.some(({ name }) => !names.includes(name)))
    return false;
  if (wasAtTarget && (await findAtTarget(search)).length === 0) return false;
  Object.assign(seen, { unlisted, former, parent, typesAtName, wildcard, misplaced });
  return true;
}

async function readChallengeName(search: Search): Promise<void> {
  const { read, seen, answering } = search;
  const { zone } = search.cut;
  const { domain, challengeName: name } = seen;
  const ask: Ask = async (question) => {
    for (const server of answering.slice(0, 2)) {
      const message = await askForMessage(read, zone, server, question);
      if (message) return message;
    }
    return null;
  };
  const presentTypes = async () => {
    const askFor = async (type: QuestionType) => ({ type, message: await ask({ name, type }) });
    const replies = await Promise.all(OTHER_TYPES[read.wanted.type].map(askFor));
    const recordSets = replies
      .map(({ type, message }) => ({ type, data: dataAt(message, name, type) }))
      .filter(({ data }) => data.length > 0);
    // This reports all types or none, because a fix may tell the user to copy them.
    const haveAllAnswered = replies.every(({ message }) => message !== null);
    seen.typesAtName = haveAllAnswered ? recordSets.map(({ type }) => type) : [];
    if (read.wanted.type === "CNAME") seen.instead = recordSets;
    return recordSets;
  };
  // A zone's own name cannot come from a wildcard.
  const wildcardAt = async (type: QuestionType, data: string[]) =>
    name !== zone &&
    closestWildcard(ask, domain, await wildcardOf(ask, zone, { name, type }, data));
  const answers = seen.servers.flatMap((server) => server.answer ?? []);
  const otherAnswer = answers.find((answer) => answer.values.length > 0 || answer.alias !== null);
  if (otherAnswer) {
    const { alias, values } = otherAnswer;
    // A DNAME also answers for names below it, but the answer already names that DNAME.
    if (alias?.type === "DNAME") return;
    const targets = read.wanted.type === "CNAME" ? values : alias ? [alias.target] : [];
    const data = targets.length > 0 ? targets.map((target) => `CNAME ${target}`) : values;
    seen.wildcard = await wildcardAt(read.wanted.type, data);
    if (seen.wildcard && targets.length === 0) await presentTypes();
    return;
  }
  if (answers.every((answer) => answer.rcode !== "NOERROR")) return;
  const recordSets = await presentTypes();
  const [firstPresent] = recordSets;
  if (!firstPresent) return;
  seen.wildcard = await wildcardAt(firstPresent.type, firstPresent.data);
  if (seen.wildcard !== false) return;
  seen.misplaced = await findWrongType(search, recordSets);
}

const MAX_SEARCHED_UNITS = 4 * 1024;

/** Finds the record at wrong names. A hit counts only if the second server has it too, and no wildcard made it. */
async function findMisplaced(search: Search, probes: readonly Probe[]) {
  const { token } = search.seen;
  const [fastest, next] = search.answering;
  if (!fastest) return [];
  const hits = await Promise.all(
    probes.map(async (probe, index): Promise<MisplacedRecord[]> => {
      const [first, second] = next && index % 2 === 1 ? [next, fastest] : [fastest, next];
      const answer = await readTxt(search, first, probe.name);
      const value = valueAt(probe, token, answer);
      if (answer === null || value === null) return [];
      const [confirmed, wildcard] = await Promise.all([
        second ? readTxt(search, second, probe.name) : null,
        isWildcard(search, first, probe, value),
      ]);
      if (wildcard || (second && valueAt(probe, token, confirmed) === null)) return [];
      const servers = second ? [first.host, second.host] : [first.host];
      const others = new Set(answer.values.filter((other) => other !== value)).size;
      return [{ ...probe, value, others, servers }];
    }),
  );
  return hits.flat();
}

const TYPE_KINDS = { MX: "mx_target", SPF: "spf_type" } as const;

async function findWrongType(
  { read, seen, cut: { zone }, answering: [first, second] }: Search,
  recordSets: readonly { type: QuestionType; data: string[] }[],
): Promise<MisplacedRecord[]> {
  const { challengeName: name, token } = seen;
  const includesToken = (value: string) => value.includes(token) || corruptionOf(value, token);
  const valueIn = (data: string[]) => takeDistinct(data, MAX_SEARCHED_UNITS).find(includesToken);
  for (const { type, data } of recordSets) {
    const value = valueIn(data);
    if (!first || value === undefined || (type !== "MX" && type !== "SPF")) continue;
    const message = second && (await askForMessage(read, zone, second, { name, type }));
    if (second && valueIn(dataAt(message ?? null, name, type)) === undefined) continue;
    const servers = second ? [first.host, second.host] : [first.host];
    return [{ kind: TYPE_KINDS[type], name, value: value.replace(/^MX /, ""), others: 0, servers }];
  }
  return [];
}

function valueAt(probe: Probe, token: string, answer: TxtAnswer | null): string | null {
  if (!answer) return null;
  if (probe.kind === "token_as_host")
    return answer.rcode === "NOERROR" ? (answer.values[0] ?? "") : null;
  if (answer.values.includes(token)) return token;
  return findDamagedValue(answer.values, token) ?? null;
}

async function isWildcard(search: Search, server: Endpoint, { kind, name }: Probe, value: string) {
  // Every name below the challenge name gets this answer, so it is the record itself.
  if (kind === "asterisk") return false;
  // Siblings of the zone apex belong to the registry.
  if (labelsOf(parentOf(name)).length < labelsOf(search.cut.zone).length) return false;
  // A name with escapes has unusual labels; a wildcard that answers there answers in the whole zone.
  const sibling = randomSibling(name.includes("\\") ? `x.${search.cut.zone}` : name);
  const answer = sibling && (await readTxt(search, server, sibling));
  if (!answer) return true;
  return kind === "token_as_host" ? answer.rcode !== "NXDOMAIN" : answer.values.includes(value);
}

/** Reads TXT on servers that only the zone's own NS RRset lists, if two servers agree on that. Skips `former` ones. */
export async function readUnlisted(search: Search, former: readonly string[]): Promise<void> {
  const { seen, cut, answering } = search;
  const [first, second] = answering;
  const knownHosts = [...cut.nameservers, ...former];
  const listed = (await listedBy(search, first)).filter((host) => !knownHosts.includes(host));
  const confirmed = listed.length > 0 && second ? await listedBy(search, second) : listed;
  const hosts = [...new Set(listed)].filter((host) => confirmed.includes(host)).sort();
  const hostsLeft = Math.max(0, MAX_DECIDING - cut.nameservers.length);
  seen.unlisted = await readTxtOn(search, hosts.slice(0, hostsLeft));
}

async function listedBy({ read, cut: { zone } }: Search, server?: Endpoint) {
  const message = server && (await askForMessage(read, zone, server, { name: zone, type: "NS" }));
  return message ? nameserversIn(message, zone) : [];
}

async function readTxtOn({ read, seen, cut }: Search, hosts: readonly string[]) {
  const { challengeName: name } = seen;
  const replies = askServers(read, cut.zone, hosts, { name, type: read.wanted.type });
  return (await Promise.all(replies)).map((reply) => readingOf(read, reply, name));
}

/** Looks for the token in the parent zone, at names that DNS panels may make, if the claimant may edit that zone. */
async function readParent({ read, seen, cut }: Search): Promise<void> {
  const parentCut = read.cuts.get(cut.parent);
  if (!parentCut || isOwnedByOthers(parentCut.zone, seen.domain)) return;
  const { zone, nameservers } = parentCut;
  const ask: Ask = async (question) => {
    const answer = await askZone(read, parentCut, question);
    return answer && !answer.referral ? answer.message : null;
  };
  const shortName = seen.label === "" ? null : under(seen.label, zone);
  const below = [under(seen.challengeName, zone), shortName];
  const names = await Promise.all(
    [...new Set([seen.challengeName, ...below.flatMap((name) => name ?? [])])].map(async (name) => {
      const question = { name, type: read.wanted.type };
      const message = await ask(question);
      if (message === null || !hasToken(recordAnswer(read, message, name), seen.token)) return [];
      // No wildcard of the parent zone can answer below the cut.
      if (name === seen.challengeName) return [name];
      return (await wildcardOf(ask, zone, question, [seen.token])) === false ? [name] : [];
    }),
  );
  const [name = null] = names.flat();
  seen.parent = { zone, name, nameservers: [...nameservers] };
}

async function readTxt({ read, cut: { zone } }: Search, server: Endpoint, name: string) {
  const message = await askForMessage(read, zone, server, { name, type: read.wanted.type });
  return message && recordAnswer(read, message, readOctets(name));
}
