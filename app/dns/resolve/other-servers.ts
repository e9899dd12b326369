import { isAskable, under } from "../names.ts";
import type { Observation, ServerReading } from "../verdict/observation.ts";
import { carries } from "../verdict/publication-status.ts";
import { isLent } from "../verdict/registry.ts";
import { txtAnswer } from "./answers.ts";
import { MAX_NAMESERVERS, type Read } from "./read.ts";
import type { Answering, Cut } from "./referral.ts";
import { askServers, authoritative, readingOf } from "./servers.ts";
import { askerOf, wildcardOf } from "./wildcard.ts";

/** A host has two to four nameservers; where the zone moved twice, the later move is the one to tell of. */
const MAX_FORMER = 4;

/**
 * TXT at the challenge name on servers that only the zone itself names (two of its servers, where there are two), save
 * those that it left.
 */
export async function readUnlisted(
  read: Read,
  seen: Observation,
  cut: Cut,
  [first, second]: readonly Answering[],
  former: readonly string[],
): Promise<void> {
  const own = await ownNames(read, cut, first);
  for (const host of [...cut.nameservers, ...former]) own.delete(host);
  const confirmed = own.size > 0 && second ? await ownNames(read, cut, second) : own;
  const room = Math.max(0, MAX_NAMESERVERS - cut.nameservers.length);
  const hosts = [...own]
    .filter((host) => confirmed.has(host))
    .sort()
    .slice(0, room);
  seen.unlisted = await readTxtOn(read, seen, cut, hosts);
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

async function readTxtOn(
  read: Read,
  { challengeName: name }: Observation,
  cut: Cut,
  hosts: readonly string[],
): Promise<ServerReading[]> {
  const said = await askServers(read, cut.zone, hosts, { name, type: "TXT" });
  return said.map((one) => readingOf(one, name));
}

/** TXT at the challenge name on servers that the zone was delegated to before. */
export async function readFormer(
  read: Read,
  seen: Observation,
  cut: Cut,
  former: readonly string[],
): Promise<void> {
  const hosts = [...new Set(former)].filter(isAskable).slice(0, MAX_FORMER);
  seen.former = await readTxtOn(read, seen, cut, hosts);
}

/**
 * Where a zone that somebody edits delegates this one: whether the token is there, at the challenge name (most
 * servers refer down instead of telling) or at the names its panel makes of it.
 */
export async function readParent(read: Read, seen: Observation, cut: Cut): Promise<void> {
  const above = read.cuts.get(cut.parent);
  if (!above || isLent(above.zone, seen.domain)) return;
  const { zone, nameservers } = above;
  const ask = askerOf(read, above);
  const names = [
    seen.challengeName,
    under(seen.challengeName, zone),
    under(seen.label, zone),
  ].filter((name) => name !== null);
  const found = await Promise.all(
    [...new Set(names)].map(async (name) => {
      const message = await ask({ name, type: "TXT" });
      if (message === null || !carries(txtAnswer(message, name), seen.token)) return [];
      // Below the cut a sibling is referred down, and tells nothing.
      if (name === seen.challengeName) return [name];
      const wildcard = await wildcardOf(ask, zone, name, "TXT", [seen.token]);
      return wildcard === false ? [name] : [];
    }),
  );
  const [name = null] = found.flat();
  seen.parent = { zone, name, nameservers: [...nameservers] };
}
