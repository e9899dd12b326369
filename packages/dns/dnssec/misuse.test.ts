import { describe, expect, it } from "vitest";
import {
  AT,
  clonesOf,
  dsOf,
  hashOf,
  labelOf,
  makeKey,
  makeZone,
  named,
  nsec,
  signed,
  txt,
} from "../testing/dnssec/signer.ts";
import { LIMITS, nameText, type RrSet, TYPE, under } from "./records.ts";
import { judge } from "./validate.ts";

const VALUE = "token";
const TEXT = [txt(VALUE)];
const { NS, SOA, TXT, DS, DNSKEY, NSEC, NSEC3, RRSIG } = TYPE;

type Zone = Awaited<ReturnType<typeof makeZone>>;
async function told({ anchor }: Zone, name: string, sets: RrSet[], more: { since?: number } = {}) {
  const question = { name, value: VALUE, at: AT, anchors: [anchor], ...more };
  const validation = await judge(sets, question);
  return validation.verdict === "secure" ? "secure" : validation.reason.type;
}

/** NSEC3 without salt, with a span that covers everything but its own hash. */
const nsec3 = (flags: number, types: number[]) => {
  const map = nsec("", types).subarray(1);
  return Uint8Array.from([1, flags, 0, 0, 0, 20, ...new Uint8Array(20).fill(0xff), ...map]);
};

describe("what the keys of a zone do not make secure", () => {
  it("judges an honest zone of this signer secure", async () => {
    const zone = await makeZone("acme.test");
    const answer = await zone.sign("a.acme.test", TXT, TEXT);
    expect(await told(zone, "a.acme.test", [zone.keys, answer])).toBe("secure");
  });

  it("a signature over the record that began too early; one over keys may", async () => {
    const zone = await makeZone("acme.test");
    const answer = await zone.sign("a.acme.test", TXT, TEXT);
    const [{ inception = 0 } = {}] = answer.signatures;
    const since = (at: number) => told(zone, "a.acme.test", [zone.keys, answer], { since: at });
    expect(await since(inception)).toBe("secure");
    expect(await since(inception + 1)).toBe("signatures_too_old");
    const [newer] = answer.signatures.map((one) => ({ ...one, inception: inception + 1 }));
    const both = { ...answer, signatures: [...answer.signatures, ...(newer ? [newer] : [])] };
    const later = { since: inception + 1 };
    expect(await told(zone, "a.acme.test", [zone.keys, both], later)).toBe("secure");
  });

  it("signatures in another zone's name", async () => {
    const zone = await makeZone("acme.test");
    const answer = await zone.sign("a.acme.test", TXT, TEXT);
    const keys = await signed(named("test"), zone.key, zone.zone, DNSKEY, [zone.key.rdata]);
    expect(await told(zone, "a.acme.test", [keys, answer])).toBe("signatures_missing");
  });

  it("keys for another purpose, and revoked ones", async () => {
    for (const flags of [0x001, 0x180]) {
      const other = await makeKey(flags);
      const zone = await makeZone("acme.test", [other]);
      const answer = await zone.sign("a.acme.test", TXT, TEXT, undefined, other);
      expect(await told(zone, "a.acme.test", [zone.keys, answer])).toBe("signatures_missing");
    }
  });

  it("DS records and keys from a wildcard", async () => {
    const [zone, child] = [await makeZone("test"), await makeZone("acme.test")];
    const answer = await child.sign("a.acme.test", TXT, TEXT);
    const rdata = [await dsOf(child.zone, child.key)];
    const ds = await zone.sign("acme.test", DS, rdata);
    expect(await told(zone, "a.acme.test", [zone.keys, ds, child.keys, answer])).toBe("secure");
    const wild = await zone.sign("acme.test", DS, rdata, 1);
    expect(await told(zone, "a.acme.test", [zone.keys, wild, child.keys, answer])).toBe(
      "signatures_missing",
    );
  });

  it("a wildcard's record below a delegation or in a denial by a wildcard", async () => {
    const zone = await makeZone("acme.test");
    const name = "a.x.sub.acme.test";
    const answer = await zone.sign(name, TXT, TEXT, 3);
    const judged = async (owner: string, next: string, types: number[], labels?: number) =>
      told(zone, name, [
        zone.keys,
        answer,
        await zone.sign(owner, NSEC, [nsec(named(next), types)], labels),
      ]);
    expect(await judged("*.sub.acme.test", "z.acme.test", [TXT, RRSIG])).toBe("secure");
    expect(await judged("sub.acme.test", "z.acme.test", [TXT, RRSIG])).toBe("secure");
    expect(await judged("sub.acme.test", "z.acme.test", [NS, RRSIG])).toBe("denial_missing");
    expect(await judged("sub.acme.test", "z.acme.test", [TYPE.DNAME])).toBe("denial_missing");
    expect(await judged("sub.acme.test", "z.acme.test", [TXT, RRSIG], 2)).toBe("denial_missing");
    expect(await judged("sub.acme.test", "x.sub.acme.test", [TXT, RRSIG])).toBe("denial_missing");
    expect(await judged("zz.acme.test", "acme.test", [TXT, RRSIG])).toBe("denial_missing");
  });
});

describe("what does not make a delegation insecure", () => {
  const bare = (zone: string): RrSet => ({
    owner: named(`a.${zone}`),
    type: TXT,
    records: [...TEXT].map((one) => Uint8Array.from(one)),
    signatures: [],
  });

  it("an NSEC record with DS, with SOA, or without NS", async () => {
    const zone = await makeZone("test");
    const judged = async (types: number[]) =>
      told(zone, "a.acme.test", [
        zone.keys,
        bare("acme.test"),
        await zone.sign("acme.test", NSEC, [nsec(named("z.test"), types)]),
      ]);
    expect(await judged([NS, RRSIG, NSEC])).toBe("unsigned");
    for (const types of [[NS, DS], [NS, SOA], [TXT]])
      expect(await judged(types)).toBe("signatures_missing");
  });

  it("a span with opt-out below a delegation, and one without opt-out", async () => {
    const zone = await makeZone("test");
    const judged = async (flags: number, types: number[]) => {
      const apex = await zone.sign(`${labelOf(hashOf("test"))}.test`, NSEC3, [nsec3(flags, types)]);
      // A second span that starts at the lowest hash, so that the order of the two hashes does not matter.
      const lowest = under(named("test"), new TextEncoder().encode("0".repeat(32)));
      const all = await zone.sign(nameText(lowest), NSEC3, [nsec3(flags, [])]);
      return told(zone, "a.acme.test", [zone.keys, bare("acme.test"), apex, all]);
    };
    expect(await judged(1, [NS, SOA])).toBe("opt_out");
    expect(await judged(0, [NS, SOA])).toBe("signatures_missing");
    expect(await judged(1, [NS])).toBe("signatures_missing");
    expect(await judged(2, [NS, SOA])).toBe("signatures_missing");
  });
});

it("keys with one tag (CVE-2023-50387) are tried twice for each signature, and the work has an end", async () => {
  const other = await makeKey(256);
  const zone = await makeZone("acme.test", clonesOf(other, 21).slice(1));
  const answer = await zone.sign("a.acme.test", TXT, TEXT, undefined, other);
  const [rrsig] = answer.signatures;
  const many = Array.from({ length: 400 }, () => rrsig).flatMap((one) => one ?? []);
  const sets = [zone.keys, { ...answer, signatures: many }];
  const question = { name: "a.acme.test", value: VALUE, at: AT, anchors: [zone.anchor] };
  const { verdict, cost } = await judge(sets, question);
  expect(verdict).toBe("bogus");
  expect(cost.verifications).toBe(1 + 8 * LIMITS.keysPerTag);
  expect(cost.verifications).toBeLessThan(LIMITS.cost.verifications);
});
