import { record, TOKEN } from "../case.ts";
import type { Presigned } from "../zones.ts";
import type { Backend, Host, Tld } from "./hosts.ts";

/** How resolvers are asked in a row. */
export type Resolvers =
  /** The three unbound, which validate. */
  | "unbound"
  | "none"
  /** Through an attacker who turns off their validation; `forged`: and who then sets AD. */
  | "gullible"
  | "forged"
  /** Over TLS or HTTPS: passed on by an attacker on the path, or impersonated. */
  | "tls"
  | "https"
  | "impersonatedTls"
  | "impersonatedHttps"
  /** In plain text, impersonated. */
  | "impersonated";

export type RowZone = {
  /** Its name relative to the row's; default the row's. */
  at?: string;
  /** The nameservers that the registry lists; none for a zone that only another zone of the row delegates. */
  servers: Host[];
  /** The nameservers in its own NS records; default the registry's. */
  own?: Host[];
  /** The records on each knotd, as lines; default the token's on `has`, and none on `not`. */
  on?: Partial<Record<Backend, string[]>>;
  /** The nameservers that all resolvers ask, or that each one asks; default those with the token, or else all. */
  asks?: Host[][];
  /** Signed with these options on each knotd. */
  signed?: Partial<Record<Backend, Presigned>>;
  /** The registry has the DS record of another key. */
  ds?: "foreign";
  /** SOA REFRESH, in seconds. */
  refresh?: number;
};

/** A zone, and how it is read. Its name is the row's. */
export type Row = RowZone & {
  title: string;
  tld?: Tld;
  /** The name claimed, relative to the row's; default the row's. */
  claims?: string;
  others: RowZone[];
  resolvers?: Resolvers;
  /** The attacker on the uplink: answers for all, strips DNSSEC from registries' answers, or answers for nameservers. */
  uplink?: "forged" | "stripped" | "diverted";
  /** For an attack: each read's allowed results, and the nameserver that the claimant must be told about. */
  comesTo?: RegExp;
  names?: Host;
  /** For an honest zone: how many nameservers are delegated, answer, and have the token; default: all have it. */
  count?: number[];
  /** Proved by the first read, or by a second one, one to five minutes later. */
  reads?: 1 | 2;
};

/** Allowed results of an attack in describeDecision's words, by their name in rows. */
const OUTCOMES: Record<string, RegExp> = {
  absent: /^absent /,
  record_absent: /^absent record_absent$/,
  partial: /^absent (nameserver_sync|not_published)$/,
  partial_or_servfail: /^absent (nameserver_sync|not_published|servfail)$/,
  cached: /^absent negative_cache$/,
  denied: /^absent (nameserver_sync|not_published|negative_cache)$/,
  /** All results that a proof may wait with while resolvers deny. */
  unseen: /^(absent (nameserver_sync|not_published|negative_cache)|unresolvable)$/,
  servfail: /^absent servfail$/,
  not_secure: /^(absent servfail|unresolvable)$/,
  unresolvable: /^unresolvable$/,
  absent_or_unresolvable: /^(absent |unresolvable$)/,
};

const DAY = 86_400;
/** Signature lines of TXT records in a signed zone. */
const TXT = /^_service-challenge\..*RRSIG\s+TXT/;
export const NOW: Presigned = { from: -DAY / 2, until: DAY };
const SIGNATURES: Record<string, Presigned> = {
  now: NOW,
  spoiled: { ...NOW, spoiled: TXT },
  without: { ...NOW, without: TXT },
  /** Expired half an hour ago. */
  late: { from: -9 * DAY, until: -1800 },
  expired: { from: -9 * DAY, until: -2 * DAY },
  early: { from: 2 * DAY, until: 9 * DAY },
};

const held = record(TOKEN);
/** `has2..4` means has2, has3 and has4; `not1..2-lost` means not1-lost and not2-lost. */
const hosts = (words: string): Host[] =>
  words
    .split(/[\s,]+/)
    .filter(Boolean)
    .flatMap((word) => {
      const [, kind, from, to, rest = ""] = /^([a-z]+)(\d+)\.\.(\d+)(-\w+)?$/i.exec(word) ?? [];
      if (!kind) return [word];
      const count = Number(to) - Number(from) + 1;
      return Array.from({ length: count }, (_, at) => `${kind}${Number(from) + at}${rest}`);
    });

const READ: Record<string, (value: string) => Partial<Row>> = {
  own: (value) => ({ own: hosts(value) }),
  asks: (value) => ({ asks: value.split("/").map(hosts) }),
  signed: (value) => ({
    signed: Object.fromEntries(
      value
        .split(",")
        .map((one) => one.split(":"))
        .map(([on, how = ""]) => [on, SIGNATURES[how]]),
    ),
  }),
  refresh: (value) => ({ refresh: Number(value) }),
  count: (value) => ({ count: value.split(",").map(Number) }),
  reads: (value) => ({ reads: Number(value) as 2 }),
  comesTo: (value) => ({ comesTo: OUTCOMES[value] }),
};
const readWords = (words = ""): Partial<Row> =>
  Object.assign(
    {},
    ...words
      .split(" ")
      .filter(Boolean)
      .map((word) => {
        const [key = "", value = ""] = word.split("=");
        return READ[key]?.(value) ?? { [key]: value };
      }),
  );

/**
 * Rows as lines: `title | servers | key=value …`. Lines below a row: `has: record` for each record on a knotd, default the
 * token's; `zone name | key=value …` for another zone of the row, with its own records.
 */
export function rows(text: string, always = ""): Row[] {
  const all: Row[] = [];
  let zone: RowZone | undefined;
  for (const line of text.split("\n").filter((one) => one.trim() !== "")) {
    const [head = "", ...fields] = line.split("|").map((one) => one.trim());
    const [, on, data] = /^(has|not|far):\s*(.*)$/.exec(head) ?? [];
    const [, at] = /^zone (\S+)$/.exec(head) ?? [];
    const last = all.at(-1);
    if (on && zone) {
      const before = zone.on?.[on as Backend] ?? [];
      const added = data ? [data.replace(/TXT$/, () => `TXT "${TOKEN}"`)] : [];
      zone.on = { ...zone.on, [on]: [...before, ...added] };
    } else if (at && last) {
      zone = { at, servers: [], ...readWords(fields[0]) };
      last.others.push(zone);
    } else {
      const [servers = "", more] = fields;
      const row = { title: head, servers: hosts(servers), others: [] };
      all.push({ ...row, ...readWords(always), ...readWords(more) });
      zone = all.at(-1);
    }
  }
  return all;
}

/** A zone's records on each knotd. */
export const recordsOf = ({ on }: RowZone): Partial<Record<Backend, string[]>> =>
  on ?? { has: [held], not: [] };
