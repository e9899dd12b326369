import { compareBytes, concat, type RrSet, TYPE } from "@deed/dns/dnssec/records.ts";
import {
  AT,
  clonesOf,
  dsOf,
  encodeSets,
  hashOf,
  labelOf,
  makeKey,
  makeZone,
  named,
  nsec,
  txt,
} from "@deed/dns/testing/dnssec/signer.ts";
import type { Line } from "./tell.ts";

const { NS, SOA, TXT, DNAME, DS, NSEC, NSEC3 } = TYPE;
const VALUE = "token";
const NAME = "a.b.acme.test";
/** Names on the way, beside it, and outside the zone. */
const NAMES = [
  ...[NAME, "b.acme.test", "acme.test", "*.acme.test", "*.b.acme.test", "z.b.acme.test"],
  ...["0.acme.test", "c.acme.test", "x.a.b.acme.test", "test", "zz.test", "."],
];

/** Chains with only good signatures, whose denials may be wrong by a signer's error or malice. */
export async function makeOddChains(count: number, below: (limit: number) => number) {
  const oneOf = <T>(list: readonly T[]): T => list[below(list.length)] as T;
  const other = await makeKey();
  const [plain, child, ...crowded] = await Promise.all([
    makeZone("acme.test"),
    makeZone("b.acme.test"),
    ...[1, 2, 3, 40].map((count) => makeZone("acme.test", clonesOf(other, count))),
  ]);
  /** Strings joined, with another record, malformed, or empty. */
  const textsOf = () =>
    oneOf([
      ...[[txt(VALUE)], [txt(VALUE)], [txt(""), txt(VALUE)]],
      ...[[concat(txt("to"), txt("ken"))], [concat(txt(VALUE), Uint8Array.of(9))], [txt("x")]],
      [concat(), txt(VALUE)],
    ]);
  const typesOf = () => oneOf([[NS], [NS, SOA], [NS, DS], [TXT], [DNAME], [TXT, NS, SOA], []]);

  const spanOf = (): [string, number, Uint8Array] => {
    if (below(3) === 0) {
      const next = Uint8Array.from(nsec(named(oneOf(NAMES)), typesOf()));
      // Changes the case of the next name, which stays as signed.
      if (below(4) === 0 && next[0] === 1) next[1] = (next[1] ?? 0) & 0xdf;
      return [oneOf(NAMES), NSEC, next];
    }
    const [iterations, salt] = [oneOf([0, 0, 1, 50, 51]), Uint8Array.from(oneOf([[], [], [7]]))];
    const hash = hashOf(oneOf(NAMES.slice(0, 3)), iterations, salt);
    // A span that begins just below the hash and ends just above covers it.
    const from = Uint8Array.from(hash);
    from[19] = below(2) === 0 ? (from[19] ?? 0) : 0;
    from[18] = compareBytes(from, hash) < 0 ? 0 : (from[18] ?? 0);
    const to = Uint8Array.from(from).fill(oneOf([0, 255]), oneOf([1, 18, 19]));
    const head = [oneOf([1, 1, 1, 1, 2]), oneOf([0, 1, 1, 2]), 0, iterations, salt.length];
    const types = nsec("", typesOf()).subarray(1);
    const place = oneOf(["acme.test", "acme.test", "acme.test", "b.acme.test", "test"]);
    const rdata = concat(Uint8Array.from(head), salt, Uint8Array.of(20), to, types);
    return [`${labelOf(from)}.${place}`, NSEC3, rdata];
  };

  const lines: Line[] = [];
  while (lines.length < count) {
    const zone = below(4) === 0 ? (oneOf(crowded) ?? plain) : plain;
    const by = below(4) === 0 && zone !== plain ? other : zone.key;
    const sets: RrSet[] = [zone.keys];
    if (below(6) === 0) {
      const rdata = await dsOf(child.zone, child.key);
      rdata[oneOf([2, 3, 3, 20])] = oneOf([1, 2, 4, 13]);
      sets.push(await zone.sign("b.acme.test", DS, [rdata]));
      if (below(2) === 0) sets.push(child.keys, await child.sign(NAME, TXT, [txt(VALUE)]));
    } else {
      const labels = oneOf([0, 1, 2, 3, 4, 4]);
      if (below(2) === 0) sets.push(await zone.sign(NAME, TXT, textsOf(), labels, by));
      for (let spans = below(3); spans > 0; spans -= 1) {
        const [owner, type, rdata] = spanOf();
        sets.push(await zone.sign(owner, type, [rdata], below(12) === 0 ? labels : undefined));
      }
    }
    const { keyTag, algorithm, digestType, digest } = zone.anchor;
    const hex = Buffer.from(digest).toString("hex");
    const anchors = [`acme.test IN DS ${keyTag} ${algorithm} ${digestType} ${hex}`];
    const chain = Buffer.from(encodeSets(sets)).toString("base64");
    const since = oneOf([0, 0, 1]) + AT - 86_400;
    lines.push({ chain, name: NAME, value: VALUE, at: AT, anchors, since });
  }
  return lines;
}
