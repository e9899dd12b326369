import {
  type Bytes,
  concat,
  LIMITS,
  lastLabels,
  type Name,
  namesBetween,
  nameText,
  type Octets,
  octetsOf,
  parentOf,
  type RrSet,
  type Rrsig,
  TYPE,
  tryRead,
  under,
} from "./records.ts";
import { type SecureZone, Stop, sha1, spend, verifyExact, type Work } from "./signature.ts";
import type { Insecurity } from "./verdict.ts";

const SHA_1 = 1;
const OPT_OUT = 1;
const HASH_OCTETS = 20;

type Denial = { reason: Insecurity | null; proofs: [RrSet, Rrsig][] };

type Span = { set: RrSet; next: Name; types: Set<number>; optOut: boolean };

/** The spans of a zone's names in NSEC order, or NSEC3 order with one salt. `keyOf` gives a name's place in it. */
type Order = {
  spans: Span[];
  iterations: number;
  keyOf(name: Name): Promise<Name>;
};

/** Proves that `name`, or a name between it and the zone, is a delegation without DS records; null if unproved. */
export async function denyDs(work: Work, signer: SecureZone, name: Name): Promise<Denial | null> {
  return tryEachOrder(work, signer, async (order) => {
    let encloser: Span | undefined = await findMatching(order, signer.zone);
    for (const child of namesBetween(signer.zone, name)) {
      const names = { zone: nameText(child), parent: nameText(signer.zone) };
      const match = await findMatching(order, child);
      if (match && isUnsignedCut(match))
        return deny(work, signer, [match], { type: "unsigned", ...names });
      if (!match && encloser && !endsZone(encloser)) {
        // By RFC 5155 section 8.6, the closest encloser exists, and the name below it is in a span with opt-out.
        const span = await findCovering(order, child);
        if (span?.optOut)
          return deny(work, signer, [encloser, span], { type: "opt_out", ...names });
      }
      encloser = match;
    }
    return null;
  });
}

const isUnsignedCut = ({ types }: Span) =>
  types.has(TYPE.NS) && !types.has(TYPE.DS) && !types.has(TYPE.SOA);

/** Proves that no name closer to `name` exists than its wildcard of `labels` labels (RFC 4035, 5.3.4; RFC 5155, 8.8). */
export async function denyCloserName(work: Work, signer: SecureZone, name: Name, labels: number) {
  const closerName = lastLabels(name, labels + 1);
  return tryEachOrder(work, signer, async (order) => {
    const span = await findCovering(order, closerName);
    // If the next name is below `closerName`, that exists. Below a cut or DNAME this proves nothing (RFC 6840, 4.1).
    if (!span || span.next.startsWith(closerName)) return null;
    if (closerName.startsWith(span.set.owner) && endsZone(span)) return null;
    // A span with opt-out may hide an unsigned delegation (RFC 5155 section 9.2).
    const names = { zone: nameText(closerName), parent: nameText(signer.zone) };
    return deny(work, signer, [span], span.optOut ? { type: "opt_out", ...names } : null);
  });
}

/** Proves that `name` has no TXT record of its own, not that no wildcard could have answered. */
export const denyTxt = (work: Work, signer: SecureZone, name: Name) =>
  tryEachOrder(work, signer, async (order) => {
    const match = await findMatching(order, name);
    if (match) return match.types.has(TYPE.TXT) ? null : deny(work, signer, [match], null);
    for (const child of namesBetween(signer.zone, name)) {
      const span = await findCovering(order, child);
      if (span) return deny(work, signer, [span], null);
    }
    return null;
  });

const endsZone = ({ types }: Span) =>
  (types.has(TYPE.NS) && !types.has(TYPE.SOA)) || types.has(TYPE.DNAME);

async function findMatching({ spans, keyOf }: Order, name: Name): Promise<Span | undefined> {
  const key = await keyOf(name);
  return spans.find(({ set }) => set.owner === key);
}

async function findCovering({ spans, keyOf }: Order, name: Name): Promise<Span | undefined> {
  const key = await keyOf(name);
  return spans.find(({ set: { owner }, next }) =>
    owner < next ? owner < key && key < next : owner < key || key < next,
  );
}

async function deny(work: Work, signer: SecureZone, spans: Span[], reason: Insecurity | null) {
  const proofs: Denial["proofs"] = [];
  try {
    for (const { set } of spans) proofs.push([set, await verifyExact(work, set, signer)]);
  } catch (error) {
    if (error instanceof Stop && error.judgement.verdict === "bogus") return null;
    throw error;
  }
  return { reason, proofs };
}

async function tryEachOrder(
  work: Work,
  signer: SecureZone,
  prove: (order: Order) => Promise<Denial | null>,
): Promise<Denial | null> {
  for (const order of ordersOf(work, signer.zone)) {
    const { iterations, spans } = order;
    const reason = { type: "iterations", zone: nameText(signer.zone), iterations } as const;
    const denial =
      iterations > LIMITS.iterations
        ? await deny(work, signer, spans.slice(0, 1), reason)
        : await prove(order);
    if (denial) return denial;
  }
  return null;
}

function ordersOf(work: Work, zone: Name): Iterable<Order> {
  const orders = new Map<string, Order>();
  for (const set of work.sets) {
    const [rdata, second] = set.records;
    const read = set.type === TYPE.NSEC ? readNsec : set.type === TYPE.NSEC3 ? readNsec3 : null;
    if (!read || !rdata || second || !set.owner.startsWith(zone)) continue;
    const result = tryRead(rdata, (octets) => read(octets, set));
    if (!result) continue;
    const { iterations, salt, span } = result;
    // The owner is a hash as a label, directly below the zone (RFC 5155 section 3).
    if (salt !== null && (set.owner === zone || parentOf(set.owner) !== zone)) continue;
    const keyOf = async (name: Name) =>
      salt === null ? name : under(zone, await hashOf(work, name, iterations, salt));
    const order = orders.get(`${iterations} ${salt}`) ?? { iterations, keyOf, spans: [] };
    order.spans.push(span);
    orders.set(`${iterations} ${salt}`, order);
  }
  return orders.values();
}

/** Reads an NSEC record (RFC 4034 section 4.1). */
function readNsec(octets: Octets, set: RrSet) {
  const span = { set, next: octets.name(), types: readTypes(octets), optOut: false };
  return { iterations: 0, salt: null, span };
}

/** Reads an NSEC3 record (RFC 5155 section 3.2); null if the hash algorithm or a flag is unknown. */
function readNsec3(octets: Octets, set: RrSet) {
  const [algorithm, flags, iterations] = [octets.byte(), octets.byte(), octets.word()];
  const salt = octets.take(octets.byte());
  const hash = octets.take(octets.byte());
  if (algorithm !== SHA_1 || flags > OPT_OUT || hash.length !== HASH_OCTETS) return null;
  const next = under(parentOf(set.owner), base32hex(hash));
  const span = { set, next, types: readTypes(octets), optOut: flags === OPT_OUT };
  return { iterations, salt, span };
}

/** Reads a bitmap of types (RFC 4034 section 4.1.2). */
function readTypes(octets: Octets): Set<number> {
  const types = new Set<number>();
  while (octets.left > 0) {
    const window = octets.byte();
    octets.take(octets.byte()).forEach((octet, index) => {
      for (let bit = 0; bit < 8; bit += 1)
        if ((octet & (0x80 >> bit)) !== 0) types.add(window * 0x100 + index * 8 + bit);
    });
  }
  return types;
}

/** The hash of RFC 5155 section 5, as the label of an owner name. */
async function hashOf(work: Work, name: Name, iterations: number, salt: Bytes): Promise<Bytes> {
  spend(work.cost, "rounds", iterations + 1);
  let hash = octetsOf(name);
  for (let round = 0; round <= iterations; round += 1) hash = await sha1(concat(hash, salt));
  return base32hex(hash);
}

/** Writes base32hex (RFC 4648 section 7) in lower case. The octets of a hash need no padding. */
function base32hex(bytes: Uint8Array): Bytes {
  const bits = Array.from(bytes, (octet) => octet.toString(2).padStart(8, "0")).join("");
  const digits = bits.replace(/.{5}/g, (group) => Number.parseInt(group, 2).toString(32));
  return new TextEncoder().encode(digits);
}
