import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  isAtOrBelow,
  isBelow,
  isOwnedByOthers,
  isQueryable,
  labelsOf,
  lastLabels,
  lowerCase,
  parentOf,
  registeredName,
  under,
} from "./names.ts";
import { randomSibling } from "./resolve/wildcards.ts";
import { buildQuery, matchQuestion } from "./wire/message.ts";

const label = fc.stringMatching(/^[a-z0-9_]([a-z0-9-]{0,61}[a-z0-9])?$/);
const name = fc
  .array(label, { minLength: 1, maxLength: 8 })
  .map((labels) => labels.join("."))
  .filter((text) => text.length <= 253);

describe("names", () => {
  it("can be queried if labels and length are within bounds", () => {
    expect(isQueryable(`${"a".repeat(63)}.test`)).toBe(true);
    expect(isQueryable(`${"a".repeat(64)}.test`)).toBe(false);
    expect(isQueryable(`test.${"a".repeat(64)}`)).toBe(false);
    expect(isQueryable(Array(127).fill("a").join("."))).toBe(true);
    expect(isQueryable(Array(128).fill("a").join("."))).toBe(false);
    for (const bad of ["", "a..b", ".a", "a.", "a\tb", "a\\b", "ä", "a\0"]) {
      expect(isQueryable(bad)).toBe(false);
    }
    expect(isQueryable(".")).toBe(true);
    expect(isQueryable("_a b.test")).toBe(true);
  });

  it("have as many labels as there are between their dots, and the root has none", () => {
    expect(["a.test", ".", ""].map(labelsOf)).toEqual([["a", "test"], [], []]);
  });

  it("are below their parents and at or below themselves", () => {
    fc.assert(
      fc.property(name, (one) => {
        expect(isAtOrBelow(one, one)).toBe(true);
        expect(isBelow(one, one)).toBe(false);
        expect(isBelow(one, parentOf(one))).toBe(true);
        expect(isAtOrBelow(parentOf(one), one)).toBe(false);
        expect(lastLabels(one, labelsOf(one).length)).toBe(one);
        expect(isAtOrBelow(`x${one}`, one)).toBe(false);
      }),
    );
  });

  it("are lower-cased from A to Z only", () => {
    expect(lowerCase("NS1.Acme.TEST")).toBe("ns1.acme.test");
    expect(lowerCase("\u212a")).toBe("\u212a");
  });

  it("cannot grow past 253 octets", () => {
    expect(under("a".repeat(20), "b".repeat(63))).toBe(`${"a".repeat(20)}.${"b".repeat(63)}`);
    expect(under("a", Array(127).fill("a").join("."))).toBeNull();
  });

  it("have random siblings of the same parent", () => {
    const siblings = new Set(Array.from({ length: 50 }, () => randomSibling("_x.acme.test")));
    expect(siblings.size).toBe(50);
    for (const sibling of siblings) expect(sibling).toMatch(/^_[a-z]{15}\.acme\.test$/);
  });
});

describe("questions", () => {
  it("decode to what was encoded, letter case included", () => {
    fc.assert(
      fc.property(name, (one) => {
        const query = buildQuery({ name: one, type: "TXT" });
        const reply = Buffer.from(query.bytes);
        reply[2] = 0x84;
        expect(matchQuestion(reply, query)).toBe("exact");
        const letter = one.search(/[a-z]/);
        if (letter >= 0) {
          const swapped = Buffer.from(reply);
          // The name starts after the header and the length of its first label.
          swapped[13 + letter] = (swapped[13 + letter] ?? 0) ^ 0x20;
          expect(matchQuestion(swapped, query)).toBe("case");
        }
        const other = Buffer.from(reply);
        other[query.questionEnd - 3] = 1;
        expect(matchQuestion(other, query)).toBe("none");
        expect(matchQuestion(query.bytes, query)).toBe("none");
      }),
    );
  });

  it("may only be missing from an error response", () => {
    const query = buildQuery({ name: "acme.test", type: "NS" });
    const bare = Buffer.alloc(12);
    bare[2] = 0x80;
    expect(matchQuestion(bare, query)).toBe("none");
    bare[3] = 1;
    expect(matchQuestion(bare, query)).toBe("bare");
  });
});

it.each([
  ["com", "acme.com", true],
  ["co.uk", "shop.acme.co.uk", true],
  ["acme.co.uk", "shop.acme.co.uk", false],
  ["acme.com", "shop.acme.com", false],
  ["github.io", "acme.github.io", true],
  ["acme.github.io", "shop.acme.github.io", false],
])("the zone %s above %s is lent: %s", (zone, name, lent) => {
  expect(isOwnedByOthers(zone, name)).toBe(lent);
});

it("takes no part of a name for a path", () => {
  expect(registeredName("0/25.acme.com")).toBe("acme.com");
});
