import { isIPv6 } from "node:net";
import { canonicalAddress } from "./address.ts";
import type { Message, ResourceRecord } from "./message.ts";
import { isAtOrBelow, isBelow } from "./names.ts";
import type { Failure } from "./observation.ts";

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

/** What an answer of a zone's server comes to. */
export type Verdict =
  /** Responsibility handed downward. */
  | { type: "referral"; cut: Cut; glue: Map<string, string[]> }
  | { type: "authoritative" }
  | { type: "unusable"; failure: Failure };

/** RCODEs with which an authority tells something about a name. YXDOMAIN: a DNAME made it too long. */
const TELLING = new Set(["NOERROR", "NXDOMAIN", "YXDOMAIN"]);

/** The failure an RCODE stands for; null where it is an answer. */
export function failureOf(rcode: string): "servfail" | "refused" | "malformed" | null {
  if (TELLING.has(rcode)) return null;
  if (rcode === "SERVFAIL") return "servfail";
  return rcode === "REFUSED" || rcode === "NOTAUTH" || rcode === "NOTIMP" ? "refused" : "malformed";
}

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
export function ownCut(
  message: Message,
  zone: string,
  name: string,
): { cut: Cut; glue: Map<string, string[]> } | null {
  const present = message.answers.some((record) => record.type === "NS" && record.name === name);
  return present ? cutIn(message, message.answers, name, zone) : null;
}

function cutIn(
  message: Message,
  section: ResourceRecord[],
  owner: string,
  parent: string,
): { cut: Cut; glue: Map<string, string[]> } {
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
    const address = record.type === "A" ? record.address : canonicalAddress(record.address);
    if (address === null) continue;
    glue.set(record.name, [...(glue.get(record.name) ?? []), address]);
  }
  // IPv4 first: every host of this service has it.
  for (const addresses of glue.values())
    addresses.sort((a, b) => Number(isIPv6(a)) - Number(isIPv6(b)));
  return glue;
}
