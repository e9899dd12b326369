import type { ZoneSigner } from "@deed/dns/testing/zone-signer.ts";
import type { Answer } from "dns-packet";
import { ancestry, canonical, isWithin, parentOf } from "./names.ts";
import { type SoaTimes, toAnswer, type ZoneRecord } from "./records.ts";

/** One server's copy of a zone. The SOA is built from `serial`, `times` and the first apex NS record. */
export type Zone = {
  name: string;
  serial: number;
  times: SoaTimes;
  records: readonly ZoneRecord[];
  /** Absent if the zone is not signed. */
  signer?: ZoneSigner;
};

/** An authoritative server's answer (RFC 1034 section 4.3.2), without header and EDNS. */
export type Reply = {
  rcode: "NOERROR" | "NXDOMAIN" | "SERVFAIL" | "REFUSED";
  authoritative: boolean;
  answers: Answer[];
  authorities: Answer[];
  additionals: Answer[];
};

const MAX_ALIASES = 8;

export const soaOf = (zone: Zone, ttl = zone.times.ttl): Answer => ({
  name: zone.name === "" ? "." : zone.name,
  type: "SOA",
  class: "IN",
  ttl,
  data: {
    mname: recordsAt(zone, zone.name, "NS").map(targetOf)[0] ?? "ns.invalid",
    rname: `hostmaster.${zone.name === "" ? "invalid" : zone.name}`,
    serial: zone.serial,
    refresh: zone.times.refresh,
    retry: Math.ceil(zone.times.refresh / 2),
    expire: 1_209_600,
    minimum: zone.times.minimum,
  },
});

const recordsAt = (zone: Zone, name: string, type?: string) =>
  zone.records.filter(
    (record) => record.name === name && (type === undefined || record.type === type),
  );

const targetOf = (record: ZoneRecord): string =>
  typeof record.data === "string" ? record.data : "";

/** A name exists if it, or a name below it, owns records (RFC 4592 section 2.2.2). */
const hasName = (zone: Zone, name: string) =>
  name === zone.name || zone.records.some((record) => isWithin(record.name, name));

const addressesOf = (zone: Zone, hosts: string[]) =>
  hosts.flatMap((host) =>
    [...recordsAt(zone, host, "A"), ...recordsAt(zone, host, "AAAA")].map((record) =>
      toAnswer(record),
    ),
  );

/** The first delegation or DNAME on the way down from the apex to `name`. */
function cutAbove(zone: Zone, name: string, type: string) {
  const below = ancestry(name).slice(0, ancestry(name).indexOf(zone.name)).reverse();
  for (const node of below) {
    if (recordsAt(zone, node, "NS").length > 0 && !(type === "DS" && node === name))
      return { node, kind: "NS" as const };
    if (node !== name && recordsAt(zone, node, "DNAME").length > 0)
      return { node, kind: "DNAME" as const };
  }
  const hasApexDname = name !== zone.name && recordsAt(zone, zone.name, "DNAME").length > 0;
  return hasApexDname ? { node: zone.name, kind: "DNAME" as const } : null;
}

/** The records that answer for `name`: its own, or those of the wildcard at its closest encloser (RFC 4592). */
function recordsFor(zone: Zone, name: string): { isFound: boolean; records: ZoneRecord[] } {
  if (hasName(zone, name)) return { isFound: true, records: recordsAt(zone, name) };
  let encloser = parentOf(name);
  while (!hasName(zone, encloser)) encloser = parentOf(encloser);
  const wildcard = encloser === "" ? "*" : `*.${encloser}`;
  return { isFound: hasName(zone, wildcard), records: recordsAt(zone, wildcard) };
}

const negative = (zone: Zone, rcode: Reply["rcode"], answers: Answer[]): Reply => ({
  rcode,
  authoritative: true,
  answers,
  authorities: [soaOf(zone)],
  additionals: [],
});

const positive = (answers: Answer[]): Reply => ({
  rcode: "NOERROR",
  authoritative: true,
  answers,
  authorities: [],
  additionals: [],
});

function referral(zone: Zone, cut: string, answers: Answer[]): Reply {
  const delegation = recordsAt(zone, cut, "NS");
  return {
    rcode: "NOERROR",
    authoritative: answers.length > 0,
    answers,
    authorities: delegation.map((record) => toAnswer(record)),
    additionals: addressesOf(zone, delegation.map(targetOf)),
  };
}

/**
 * Answers one question from one zone: answer, alias chain within the zone, referral with glue, NODATA or NXDOMAIN with
 * the SOA. Owner names in the answer keep the case of `qname`.
 */
export function lookup(zone: Zone, qname: string, type: string): Reply {
  const answers: Answer[] = [];
  let owner = qname.replace(/\.$/, "");
  for (let step = 0; step <= MAX_ALIASES; step++) {
    const name = canonical(owner);
    if (!isWithin(name, zone.name)) break;
    const cut = cutAbove(zone, name, type);
    if (cut?.kind === "NS") return referral(zone, cut.node, answers);
    if (cut) {
      const [dname] = recordsAt(zone, cut.node, "DNAME");
      if (!dname) break;
      const alias = `${owner.slice(0, owner.length - cut.node.length)}${targetOf(dname)}`;
      answers.push(toAnswer(dname));
      if (alias.length > 253) break;
      answers.push(toAnswer({ name, type: "CNAME", ttl: dname.ttl, data: alias }, owner));
      if (type === "CNAME") break;
      owner = alias;
      continue;
    }
    const { isFound, records } = recordsFor(zone, name);
    if (!isFound) return negative(zone, "NXDOMAIN", answers);
    if (type === "SOA" && name === zone.name) return positive([...answers, soaOf(zone)]);
    const matchingRecords = records.filter((record) => type === "ANY" || record.type === type);
    const alias = records.find((record) => record.type === "CNAME");
    if (matchingRecords.length > 0 || !alias) {
      const set = matchingRecords.map((record) => toAnswer(record, owner));
      return set.length > 0 ? positive([...answers, ...set]) : negative(zone, "NOERROR", answers);
    }
    answers.push(toAnswer(alias, owner));
    owner = targetOf(alias);
  }
  return positive(answers);
}

/** The same with signatures and denials, for clients with DO, if the zone is signed. */
export function signedLookup(zone: Zone, qname: string, type: string): Reply {
  const reply = lookup(zone, qname, type);
  const name = canonical(qname);
  const { signer } = zone;
  if (!signer || reply.rcode === "SERVFAIL") return reply;
  if (type === "DNSKEY" && name === zone.name) return { ...reply, ...signer.keys() };
  return signer.sign(reply, name || ".", {
    typesAt: (owner) => recordsAt(zone, canonical(owner)).map((record) => record.type),
    dsAt: (cut) => recordsAt(zone, canonical(cut), "DS").map((record) => toAnswer(record)),
  });
}
