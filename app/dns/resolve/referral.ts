import { isIPv6 } from "node:net";
import { isAtOrBelow, isBelow } from "../names.ts";
import { failureOf } from "../rcode.ts";
import type { Failure } from "../verdict/observation.ts";
import type { Message, ResourceRecord } from "../wire/message.ts";

/** A zone cut as the parent's servers show it. */
export type Cut = {
  zone: string;
  /** The zone whose servers made the delegation. */
  parent: string;
  /** Lower case, sorted, each once. */
  nameservers: string[];
  /** Seconds: of the NS RRset. */
  ttl: number;
};

/** A cut with the addresses that came along. */
export type Shown = { cut: Cut; glue: ReadonlyMap<string, string[]> };

/** A server that was heard, and may be asked more. */
export type Answering = { host: string; address: string };

/** What an answer of a zone's server comes to. */
export type Verdict =
  /** Responsibility handed downward. */
  | ({ type: "referral" } & Shown)
  | { type: "authoritative" }
  | { type: "unusable"; failure: Failure };

/** Addresses kept of one nameserver's name: two are asked, and some may be refused. */
export const MAX_KNOWN_ADDRESSES = 8;

/**
 * Judges what a server of `zone` said when asked about `name`. Referrals count only downward and
 * toward the name; one upward or sideways is "not_authoritative".
 */
export function judge(message: Message, zone: string, name: string): Verdict {
  const failure = failureOf(message.rcode);
  if (failure) return { type: "unusable", failure };
  const referral = message.answers.length === 0 && referralIn(message, zone, name);
  if (referral) return referral;
  if (message.aa) return { type: "authoritative" };
  return { type: "unusable", failure: "not_authoritative" };
}

function referralIn(message: Message, zone: string, name: string): Verdict | null {
  if (message.rcode !== "NOERROR") return null;
  if (message.authorities.some((record) => record.type === "SOA")) return null;
  const owner = message.authorities.find(
    (record) =>
      record.type === "NS" && isBelow(record.name, zone) && isAtOrBelow(name, record.name),
  )?.name;
  if (owner === undefined) return null;
  return { type: "referral", ...cutIn(message, message.authorities, owner, zone) };
}

/** A zone cut at the asked name that the parent's server, being the child's too, answers itself. */
export function ownCut(message: Message, zone: string, name: string): Shown | null {
  const present = message.answers.some((record) => record.type === "NS" && record.name === name);
  return present ? cutIn(message, message.answers, name, zone) : null;
}

/** The cut a server of `zone` shows when asked for NS at `name`, the child's server or not. */
export function cutShown(message: Message, zone: string, name: string): Shown | null {
  const verdict = judge(message, zone, name);
  if (verdict.type === "referral") return verdict;
  return verdict.type === "authoritative" ? ownCut(message, zone, name) : null;
}

/** Two cuts between the same zones, to the same nameservers. */
export const sameCut = (one: Cut, other: Cut): boolean =>
  one.zone === other.zone && one.nameservers.join() === other.nameservers.join();

/**
 * The one cut that all of them show, with the addresses that all of them give. Null where the cuts differ, or where
 * the address of a nameserver in the delegated zone, which nobody else could tell, does.
 */
export function agreed([first, ...others]: readonly Shown[]): Shown | null {
  if (!first || !others.every(({ cut }) => sameCut(cut, first.cut))) return null;
  const glue = new Map<string, string[]>();
  for (const host of first.cut.nameservers) {
    const given = [first, ...others].map((shown) => shown.glue.get(host) ?? []);
    const common = given.reduce((all, one) => all.filter((address) => one.includes(address)));
    if (common.length > 0) glue.set(host, common);
    else if (isAtOrBelow(host, first.cut.zone) && given.some((one) => one.length > 0)) return null;
  }
  return { cut: first.cut, glue };
}

function cutIn(message: Message, section: ResourceRecord[], owner: string, parent: string): Shown {
  const nameservers = new Set<string>();
  let ttl = Number.POSITIVE_INFINITY;
  for (const record of section) {
    if (record.type !== "NS" || record.name !== owner) continue;
    nameservers.add(record.target);
    ttl = Math.min(ttl, record.ttl);
  }
  const cut = { zone: owner, parent, nameservers: [...nameservers].sort(), ttl };
  return { cut, glue: glueFor(message.additionals, nameservers, parent) };
}

/** Addresses of the nameservers that the asked server's own zone holds; others it has no say over. */
function glueFor(
  additionals: ResourceRecord[],
  nameservers: ReadonlySet<string>,
  bailiwick: string,
): Map<string, string[]> {
  const glue = new Map<string, string[]>();
  for (const record of additionals) {
    if (record.type !== "A" && record.type !== "AAAA") continue;
    if (!nameservers.has(record.name) || !isAtOrBelow(record.name, bailiwick)) continue;
    const addresses = glue.get(record.name);
    if (!addresses) glue.set(record.name, [record.address]);
    else if (addresses.length < MAX_KNOWN_ADDRESSES) addresses.push(record.address);
  }
  // IPv4 first: every host of this service has it.
  for (const addresses of glue.values())
    addresses.sort((a, b) => Number(isIPv6(a)) - Number(isIPv6(b)));
  return glue;
}
