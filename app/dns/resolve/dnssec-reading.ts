import { isAtOrBelow } from "../names.ts";
import type { DnssecReading, Signature } from "../verdict/observation.ts";
import { isRegistry } from "../verdict/registry.ts";
import { isDsOf, type ZoneKey, zoneKey } from "../wire/dnskey.ts";
import type { Message, ResourceRecord } from "../wire/message.ts";
import type { Question } from "../wire/query.ts";
import { soaOf } from "./answers.ts";
import { authoritative } from "./authority.ts";
import type { Read } from "./read.ts";
import type { Answering, Cut } from "./referral.ts";
import { askZone, firstAddresses } from "./walk.ts";

/** Limit on the zones examined, from the deepest up; few names have more below their registry. */
const MAX_ZONES = 3;
/** Servers of a zone asked for its keys and signatures; what none of them has counts as missing. */
const MAX_SERVERS = 2;
/** Limit on the DS records, keys and signatures examined. Honest zones have fewer; none is verified. */
const MAX_RECORDS = 20;
/** Type numbers whose signatures are looked for. */
const TYPES = { TXT: 16, DNSKEY: 48 };

type Ds = RecordOf<"DS">;
type RecordOf<T extends ResourceRecord["type"]> = Extract<ResourceRecord, { type: T }>;

/**
 * Reads the DNSSEC data of the zone `cut` and the zones above it, up to a registry's: DS records from the parent, keys
 * and their signatures from two of the zone's own servers, and in the last zone the signatures of TXT at `name`. Reads
 * at most three zones, with one packet per question if nothing goes wrong.
 */
export function readDnssec(
  read: Read,
  cut: Cut,
  name: string,
  servers: readonly Answering[],
): Promise<DnssecReading[]> {
  const cuts: Cut[] = [cut];
  while (cuts.length < MAX_ZONES) {
    const [highest = cut] = cuts;
    const above = read.cuts.get(highest.parent);
    if (!above || isRegistry(above.zone, highest.zone)) break;
    cuts.unshift(above);
  }
  return Promise.all(
    cuts.map((each) =>
      each === cut
        ? readDnssecOf(read, each, servers.slice(0, MAX_SERVERS), name)
        : firstAddresses(read, read.orderOf(each).slice(0, MAX_SERVERS)).then((found) =>
            readDnssecOf(read, each, found, null),
          ),
    ),
  );
}

async function readDnssecOf(
  read: Read,
  cut: Cut,
  servers: readonly Answering[],
  name: string | null,
): Promise<DnssecReading> {
  const { zone, parent } = cut;
  const [ds, keyAnswers, answers] = await Promise.all([
    readDs(read, cut),
    askSigned(read, zone, servers, { name: zone, type: "DNSKEY" }),
    name === null ? [] : askSigned(read, zone, servers, { name, type: "TXT" }),
  ]);
  const keys = keyAnswers.length > 0 ? keysIn(keyAnswers, zone) : null;
  return {
    zone,
    parent,
    ds: ds?.map((one) => dsReading(one, zone, keys ?? [])) ?? null,
    dsTtl: ds?.[0]?.ttl ?? null,
    keys: keys?.map(({ rdata: _, ...key }) => key) ?? null,
    keySignatures: signaturesIn(keyAnswers, zone, zone, TYPES.DNSKEY),
    answerSignatures:
      name !== null && answers.length > 0 ? signaturesIn(answers, zone, name, TYPES.TXT) : null,
  };
}

function dsReading(ds: Ds, zone: string, keys: readonly ZoneKey[]) {
  const { keyTag, algorithm, digestType } = ds;
  return { keyTag, algorithm, digestType, fits: keys.some((key) => isDsOf(ds, zone, key)) };
}

/** A zone's DS records, from a server of its parent, the only authority for them (RFC 4035 section 3.1.4.1). */
async function readDs(read: Read, { zone, parent }: Cut): Promise<Ds[] | null> {
  const above = read.cuts.get(parent);
  if (!above) return null;
  const question = { name: zone, type: "DS" } as const;
  const answer = await askZone(read, above, question);
  if (!answer) return null;
  const records = recordsIn(answer.message, "DS", zone).slice(0, MAX_RECORDS);
  const soa = soaOf(answer.message);
  // A server that also serves the child may wrongly deny DS records from the child zone.
  const isChilds = soa !== null && isAtOrBelow(soa.zone, zone);
  return records.length === 0 && isChilds ? null : records;
}

/** The authoritative answers of these servers, with signatures; drops all other replies. */
async function askSigned(
  read: Read,
  zone: string,
  servers: readonly Answering[],
  question: Question,
): Promise<Message[]> {
  const messages = await Promise.all(
    servers.map((server) => authoritative(read, zone, server, question, { dnssec: true })),
  );
  return messages.flatMap((message) => message ?? []);
}

function keysIn(messages: readonly Message[], zone: string): ZoneKey[] {
  const all = messages.flatMap((message) => recordsIn(message, "DNSKEY", zone));
  const each = [...new Set(all.map(({ rdata }) => rdata))].slice(0, MAX_RECORDS);
  return each.flatMap((rdata) => zoneKey(rdata) ?? []);
}

/** Signatures by the zone over the RRset of this type at `name`; 32-bit times are plain seconds until 2106. */
function signaturesIn(
  messages: readonly Message[],
  zone: string,
  name: string,
  type: number,
): Signature[] {
  return messages
    .flatMap((message) => recordsIn(message, "RRSIG", name))
    .filter(({ covers, signer }) => covers === type && signer === zone)
    .slice(0, MAX_RECORDS)
    .map(({ keyTag, algorithm, inception, expiration }) => ({
      keyTag,
      algorithm,
      inception: inception * 1000,
      expiration: expiration * 1000,
    }));
}

function recordsIn<T extends ResourceRecord["type"]>(message: Message, type: T, name: string) {
  return message.answers.filter(
    (record): record is RecordOf<T> => record.type === type && record.name === name,
  );
}
