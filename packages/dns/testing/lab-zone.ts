import type { Answer } from "dns-packet";
import { isAtOrBelow, isBelow, labelsOf, parentOf } from "../names.ts";
import type { ZoneSigner } from "./zone-signer.ts";

/** A zone of the lab: its own records, delegations (NS below its apex) and their glue. */
export type LabZone = { name: string; records: LabRecord[]; signer?: ZoneSigner };
export type LabRecord = {
  name: string;
  type: "A" | "AAAA" | "NS" | "CNAME" | "DNAME" | "TXT" | "SOA" | "MX" | "SPF" | "DS";
  /** For DS in zone-file format (RFC 4034 section 5.3). */
  data: string | string[];
  ttl?: number;
};

export type LabAnswer = {
  rcode: number;
  aa: boolean;
  answers: Answer[];
  authorities: Answer[];
  additionals: Answer[];
};

const TIMES = { refresh: 1200, retry: 300, expire: 604_800, minimum: 300 };
const SOA = { mname: "ns.test", rname: "hostmaster.test", ...TIMES };

/** A zone with a SOA, its NS records and their addresses, and the given records. */
export function labZone(
  name: string,
  nameservers: Record<string, string[]>,
  records: LabRecord[] = [],
  serial = 7,
): LabZone {
  const soa: LabRecord = { name, type: "SOA", data: String(serial), ttl: 900 };
  return { name, records: [soa, ...delegation(name, nameservers), ...records] };
}

/** NS records and the addresses of their hosts, as in a parent zone. */
export function delegation(name: string, nameservers: Record<string, string[]>): LabRecord[] {
  return Object.entries(nameservers).flatMap(([host, addresses]) => [
    { name, type: "NS" as const, data: host, ttl: 3600 },
    ...addresses.map((data) => ({
      name: host,
      type: data.includes(":") ? ("AAAA" as const) : ("A" as const),
      data,
      ttl: 3600,
    })),
  ]);
}

/** The answer of an authoritative server with these zones (RFC 1034 section 4.3.2); null if it serves no such zone. */
export function answerFrom(
  zones: readonly LabZone[],
  name: string,
  type: string,
  dnssec = false,
): LabAnswer | null {
  const zone = zoneFor(zones, name, type);
  if (!zone) return null;
  const { signer } = zone;
  if (signer && type === "DNSKEY" && name === zone.name)
    return { ...empty(0, true), ...signer.keys() };
  const answer = unsignedAnswer(zone, name, type);
  if (!signer || !dnssec) return answer;
  const at = (owner: string) => zone.records.filter((one) => one.name === owner);
  return signer.sign(answer, name, {
    typesAt: (owner) => at(owner).map((one) => one.type),
    dsAt: (cut) => at(cut).flatMap((one) => (one.type === "DS" ? toAnswer(one) : [])),
  });
}

function zoneFor(zones: readonly LabZone[], name: string, type: string): LabZone | undefined {
  // DS records belong to the parent zone (RFC 4035 section 3.1.4.1).
  const holder = type === "DS" ? parentOf(name) : name;
  return zones
    .filter((one) => isAtOrBelow(holder, one.name))
    .sort((a, b) => labelsOf(b.name).length - labelsOf(a.name).length)[0];
}

function unsignedAnswer(zone: LabZone, name: string, type: string): LabAnswer {
  const cut = cutAbove(zone, type === "DS" ? parentOf(name) : name);
  if (cut) {
    const records = zone.records.filter((one) => one.name === cut && one.type === "NS");
    const authorities = records.map(toAnswer);
    return { ...empty(0, false), authorities, additionals: glue(zone, records) };
  }
  const dname = zone.records.find((one) => one.type === "DNAME" && isBelow(name, one.name));
  if (dname) {
    const data = `${name.slice(0, -dname.name.length)}${String(dname.data)}`;
    const answers = [dname, { name, type: "CNAME" as const, data }].map(toAnswer);
    return { ...empty(0, true), answers };
  }
  const owner = ownerOf(zone, name);
  const chosen = zone.records.filter(
    (one) => one.name === owner && (one.type === type || one.type === "CNAME"),
  );
  if (chosen.length > 0) {
    const answers = chosen.map((one) => toAnswer({ ...one, name }));
    return { ...empty(0, true), answers, additionals: type === "NS" ? glue(zone, chosen) : [] };
  }
  const soa = zone.records.filter((one) => one.type === "SOA").map(toAnswer);
  return { ...empty(owner === null ? 3 : 0, true), authorities: soa };
}

export function empty(rcode: number, aa: boolean): LabAnswer {
  return { rcode, aa, answers: [], authorities: [], additionals: [] };
}

function cutAbove(zone: LabZone, name: string): string | null {
  let cut: string | null = null;
  for (let at = name; isBelow(at, zone.name); at = parentOf(at)) {
    if (zone.records.some((one) => one.name === at && one.type === "NS")) cut = at;
  }
  return cut;
}

/** The owner of the records that answer for a name: itself or a wildcard; null if the name does not exist. */
function ownerOf(zone: LabZone, name: string): string | null {
  const exists = (at: string) => zone.records.some((one) => isAtOrBelow(one.name, at));
  if (exists(name)) return name;
  for (let at = parentOf(name); isAtOrBelow(at, zone.name); at = parentOf(at)) {
    const wildcard = at === "." ? "*" : `*.${at}`;
    if (zone.records.some((one) => one.name === wildcard)) return wildcard;
    if (exists(at)) return null;
  }
  return null;
}

function glue(zone: LabZone, nameservers: readonly LabRecord[]): Answer[] {
  const hosts = new Set(nameservers.map((one) => String(one.data)));
  return zone.records
    .filter((one) => (one.type === "A" || one.type === "AAAA") && hosts.has(one.name))
    .map(toAnswer);
}

export function toAnswer({ name, type, data, ttl = 300 }: LabRecord): Answer {
  const common = { name, ttl, class: "IN" } as const;
  const text = String(data);
  switch (type) {
    case "TXT":
      return { ...common, type, data: [data].flat() };
    case "SPF": {
      // dns-packet does not support SPF; encode one character string, as in TXT.
      const bytes = Buffer.concat([Buffer.of(Buffer.byteLength(text)), Buffer.from(text)]);
      return { ...common, type: "SPF" as "NULL", data: bytes };
    }
    case "DS": {
      const [keyTag, algorithm, digestType, ...hex] = text.split(/\s+/);
      const numbers = { keyTag: Number(keyTag), algorithm: Number(algorithm) };
      const digest = Buffer.from(hex.join(""), "hex");
      return { ...common, type, data: { ...numbers, digestType: Number(digestType), digest } };
    }
    case "MX":
      return { ...common, type, data: { preference: 10, exchange: text } };
    case "SOA":
      return { ...common, type, data: { ...SOA, serial: Number(data) } };
    default:
      return { ...common, type, data: text };
  }
}
