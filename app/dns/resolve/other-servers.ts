import { isAskable, under } from "../names.ts";
import type { Observation, ServerReading } from "../verdict/observation.ts";
import { hasToken } from "../verdict/publication-status.ts";
import { isOwnedByOthers } from "../verdict/registry.ts";
import { txtAnswer } from "./answers.ts";
import { authoritative } from "./authority.ts";
import { MAX_DECIDING, type Read } from "./read.ts";
import type { Answering, Cut } from "./referral.ts";
import { askServers, readingOf } from "./servers.ts";
import { askerOf, wildcardOf } from "./wildcard.ts";

/** A DNS host has two to four nameservers; if the zone moved twice, only the later move is reported. */
const MAX_FORMER = 4;

/**
 * Reads TXT at the challenge name on servers listed only in the zone's own NS RRset, as given by two of its servers if
 * there are two, without the nameservers it had before.
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
  const room = Math.max(0, MAX_DECIDING - cut.nameservers.length);
  const hosts = [...own]
    .filter((host) => confirmed.has(host))
    .sort()
    .slice(0, room);
  seen.unlisted = await readTxtOn(read, seen, cut, hosts);
}

/** The nameservers in the zone's own NS RRset, according to one of its servers. */
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
  const replies = await askServers(read, cut.zone, hosts, { name, type: "TXT" });
  return replies.map((one) => readingOf(one, name));
}

/** Reads TXT at the challenge name on servers to which the zone was delegated before. */
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
 * If the claimant may edit the parent zone, looks there for the token: at the challenge name (most servers send a
 * referral instead) and at the names that a DNS panel may turn it into.
 */
export async function readParent(read: Read, seen: Observation, cut: Cut): Promise<void> {
  const above = read.cuts.get(cut.parent);
  if (!above || isOwnedByOthers(above.zone, seen.domain)) return;
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
      if (message === null || !hasToken(txtAnswer(message, name), seen.token)) return [];
      // A sibling below the cut only yields a referral.
      if (name === seen.challengeName) return [name];
      const wildcard = await wildcardOf(ask, zone, name, "TXT", [seen.token]);
      return wildcard === false ? [name] : [];
    }),
  );
  const [name = null] = found.flat();
  seen.parent = { zone, name, nameservers: [...nameservers] };
}
