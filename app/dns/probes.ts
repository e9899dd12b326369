import { txtAnswer } from "./answers.ts";
import { damageOf } from "./damage.ts";
import { isBelow, labelsOf, parentOf, randomSibling, under } from "./names.ts";
import type { Misplaced, Observation, ProbeKind, TxtAnswer } from "./observation.ts";
import type { QuestionType } from "./query.ts";
import { MAX_NAMESERVERS, type Read } from "./read.ts";
import type { Cut } from "./referral.ts";
import { type Answering, authoritative, readServers } from "./servers.ts";

/** Types a panel may have put at H.D instead of TXT; a CNAME shows in the answer to TXT itself. */
const OTHER_TYPES: QuestionType[] = ["A", "AAAA", "MX"];

type Probe = { kind: ProbeKind; name: string };

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
    readUnlisted(read, seen, cut, first),
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

/** TXT at the challenge name on servers that only the zone itself names. */
async function readUnlisted(read: Read, seen: Observation, cut: Cut, server: Answering) {
  const message = await authoritative(read, cut.zone, server, { name: cut.zone, type: "NS" });
  const own = new Set(
    message?.answers.flatMap((record) =>
      record.type === "NS" && record.name === cut.zone ? record.target : [],
    ),
  );
  for (const host of cut.nameservers) own.delete(host);
  const room = Math.max(0, MAX_NAMESERVERS - cut.nameservers.length);
  const hosts = [...own].sort().slice(0, room);
  return (await readServers(read, cut.zone, hosts, seen.challengeName)).servers;
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
  return a.values.some((value) => b.values.includes(value));
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

async function readTxt(
  read: Read,
  zone: string,
  server: Answering,
  name: string,
): Promise<TxtAnswer | null> {
  const message = await authoritative(read, zone, server, { name, type: "TXT" });
  return message && txtAnswer(message, name);
}

/** The wrong names a record lands at, most telling first; every name once. */
export function probesFor(
  seen: Pick<Observation, "domain" | "label" | "token" | "challengeName">,
  zone: string,
): Probe[] {
  const { domain, label, token } = seen;
  const probes = new Map<string, ProbeKind>();
  const add = (kind: ProbeKind, front: string, base: string) => {
    const name = under(front, base);
    if (name && name !== seen.challengeName && !probes.has(name)) probes.set(name, kind);
  };
  add("domain_appended", `${label}.${domain}`, domain);
  if (isBelow(domain, zone)) add("domain_appended", `${label}.${domain}`, zone);
  probes.set(domain, "apex");
  add("challenge_on_www", `${label}.www`, domain);
  add("www", "www", domain);
  if (label.startsWith("_")) add("no_underscore", label.slice(1), domain);
  add("host_doubled", `${label}.${label}`, domain);
  if (isBelow(domain, zone)) add("parent", label, zone);
  for (const spelling of misspellings(label)) add("misspelled", spelling, domain);
  add("token_as_host", token, domain);
  return [...probes].map(([name, kind]) => ({ kind, name }));
}

/** How the label is mistyped: separators swapped, dropped or doubled, a double letter halved, a plural. */
export function misspellings(label: string): string[] {
  const bare = label.replace(/^_/, "");
  const spellings = [
    label.replaceAll("-", "_"),
    label.replace(/-/g, ""),
    `_${label}`,
    `-${bare}`,
    label.replace(/([a-z])\1/g, "$1"),
    `${label}s`,
  ];
  return [...new Set(spellings)].filter((spelling) => spelling !== label && spelling !== bare);
}

/**
 * Asks one server at every wrong name; a hit must show on a second server, where there is one, and not
 * on a random sibling, where a wildcard would show it too.
 */
async function findMisplaced(
  read: Read,
  seen: Observation,
  zone: string,
  answering: readonly Answering[],
): Promise<Misplaced[]> {
  const [first, second] = answering;
  if (!first) return [];
  const found = await Promise.all(
    probesFor(seen, zone).map(async (probe): Promise<Misplaced[]> => {
      const value = valueAt(probe, seen.token, await readTxt(read, zone, first, probe.name));
      if (value === null) return [];
      const [confirmed, wildcard] = await Promise.all([
        second ? readTxt(read, zone, second, probe.name) : null,
        isWildcard(read, zone, first, probe, value),
      ]);
      if (wildcard || (second && valueAt(probe, seen.token, confirmed) === null)) return [];
      const servers = second ? [first.host, second.host] : [first.host];
      return [{ ...probe, value, servers }];
    }),
  );
  return found.flat();
}

/** The evidence in an answer: the token or what is left of it; for the token as a host, that the name exists. */
function valueAt(probe: Probe, token: string, answer: TxtAnswer | null): string | null {
  if (!answer) return null;
  if (probe.kind === "token_as_host") {
    return answer.rcode === "NOERROR" ? (answer.values[0] ?? "") : null;
  }
  if (answer.values.includes(token)) return token;
  return answer.values.find((value) => damageOf(value, token)) ?? null;
}

async function isWildcard(
  read: Read,
  zone: string,
  server: Answering,
  probe: Probe,
  value: string,
): Promise<boolean> {
  // Siblings of the zone's own name are the registry's.
  if (labelsOf(parentOf(probe.name)).length < labelsOf(zone).length) return false;
  const sibling = randomSibling(probe.name);
  const answer = sibling && (await readTxt(read, zone, server, sibling));
  if (!answer) return true;
  if (probe.kind === "token_as_host") return answer.rcode !== "NXDOMAIN";
  return answer.values.includes(value);
}
