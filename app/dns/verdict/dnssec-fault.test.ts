import { describe, expect, it } from "vitest";
import { dnssecFault } from "./dnssec-fault.ts";
import type { DnssecReading } from "./observation.ts";

const NOW = Date.UTC(2026, 2, 5);
const HOUR = 3_600_000;
const KSK = { keyTag: 45452, algorithm: 13, isEntryPoint: true };
const ZSK = { keyTag: 51823, algorithm: 13, isEntryPoint: false };
const ds = (change: Partial<NonNullable<DnssecReading["ds"]>[number]> = {}) => ({
  keyTag: KSK.keyTag,
  algorithm: 13,
  digestType: 2,
  fits: true,
  ...change,
});
const by = ({ keyTag, algorithm }: typeof KSK, from = NOW - HOUR, until = NOW + HOUR) => ({
  keyTag,
  algorithm,
  inception: from,
  expiration: until,
});
const reading = (change: Partial<DnssecReading> = {}): DnssecReading => ({
  zone: "acme.test",
  parent: "test",
  ds: [ds()],
  dsTtl: 86_400,
  keys: [KSK, ZSK],
  keySignatures: [by(KSK)],
  answerSignatures: [by(ZSK)],
  ...change,
});
const mismatch = { type: "ds_matches_no_key", dsKeyTags: [45452], keyTags: [45452] };

// C7.15
describe("faults of a zone's DNSSEC", () => {
  it.each<[string, Partial<DnssecReading>, object | null]>([
    ["nothing", {}, null],
    ["the parent does not say", { ds: null, keys: [] }, null],
    ["unsigned", { ds: [], keys: [] }, null],
    ["keys that nobody vouches for", { ds: [], keySignatures: [], answerSignatures: [] }, null],
    ["the zone does not say", { keys: null, keySignatures: [], answerSignatures: null }, null],
    ["an unknown algorithm alone", { ds: [ds({ algorithm: 253, fits: false })], keys: [] }, null],
    ["an unknown digest alone", { ds: [ds({ digestType: 3, fits: false })], keys: [] }, null],
    [
      "keys gone, two DS records",
      {
        ds: [ds({ keyTag: 9, fits: false }), ds({ fits: false }), ds({ keyTag: 9, digestType: 4 })],
        keys: [],
      },
      { type: "ds_without_keys", dsKeyTags: [9, 45452] },
    ],
    ["a digest of another key", { ds: [ds({ fits: false })] }, mismatch],
    ["one DS of two fits", { ds: [ds({ keyTag: 9, fits: false }), ds()] }, null],
    [
      "only SHA-1 fits, beside SHA-256",
      { ds: [ds({ digestType: 1 }), ds({ fits: false })] },
      mismatch,
    ],
    ["SHA-1 alone", { ds: [ds({ digestType: 1 })] }, null],
    [
      "no entry point among the keys",
      { ds: [ds({ keyTag: 9, fits: false })], keys: [ZSK] },
      { type: "ds_matches_no_key", dsKeyTags: [9], keyTags: [51823] },
    ],
    ["keys unsigned", { keySignatures: [] }, { type: "signatures_missing" }],
    [
      "keys signed by another than the DS's",
      { keySignatures: [by(ZSK)] },
      { type: "signatures_missing" },
    ],
    [
      "the answer signed by a key of another algorithm",
      { answerSignatures: [by({ ...ZSK, algorithm: 8 })] },
      { type: "signatures_missing" },
    ],
    ["the answer unsigned", { answerSignatures: [] }, { type: "signatures_missing" }],
    ["the answer not read", { answerSignatures: null }, null],
    ["the answer signed by the entry point", { answerSignatures: [by(KSK)] }, null],
    ["one signature of two holds", { answerSignatures: [by(ZSK, 0, 1), by(ZSK)] }, null],
    [
      "all expired",
      { answerSignatures: [by(ZSK, 0, NOW - 3 * HOUR), by(KSK, 0, NOW - 1)] },
      { type: "signatures_expired", at: NOW - 1 },
    ],
    [
      "the keys' signature expired",
      { keySignatures: [by(KSK, 0, NOW - HOUR)] },
      { type: "signatures_expired", at: NOW - HOUR },
    ],
    [
      "none valid yet",
      {
        answerSignatures: [
          by(ZSK, NOW + 2 * HOUR, NOW + 9 * HOUR),
          by(ZSK, NOW + 1, NOW + 9 * HOUR),
        ],
      },
      { type: "signatures_not_yet_valid", at: NOW + 1 },
    ],
    ["valid from this moment to this moment", { answerSignatures: [by(ZSK, NOW, NOW)] }, null],
  ])("%s", (_, change, expected) => {
    expect(dnssecFault(reading(change), NOW)).toEqual(expected);
  });
});
