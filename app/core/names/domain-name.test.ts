import { toAscii, toUnicode } from "@deed/dns/library/idna.ts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { arbitraryName } from "../../../scripts/arbitrary-name.ts";
import { referenceData } from "../../../tests/data/index.ts";
import { DeedError } from "../errors.server.ts";
import { bareName, claimableName, guessName, normaliseName } from "./domain-name.ts";

const LABEL = "_service-challenge";
const label = (letter: string, length = 63) => letter.repeat(length);

const refusal = (input: string, challengeLabel = LABEL): string => {
  try {
    claimableName(input, challengeLabel);
  } catch (error) {
    if (error instanceof DeedError && error.code === "invalid_domain") return error.message;
    throw error;
  }
  return "accepted";
};

describe("C3.3, C3.1, C3.5: normaliseName", () => {
  it.each([
    ["acme.com", "", "acme.com"],
    ["acme.com", "trimmed", " acme.com\n"],
    ["acme.com", "scheme_removed", "https://acme.com", "//acme.com"],
    ["acme.com", "userinfo_removed", "joe@acme.com", "mailto:joe@acme.com"],
    ["acme.com", "scheme_removed userinfo_removed", "https://a:b@c@acme.com"],
    ["acme.com", "path_removed", "acme.com/a@b", "acme.com?q=1", "acme.com#top", "acme.com\\x"],
    ["acme.com", "port_removed", "acme.com:8443"],
    ["acme.com", "trailing_dot_removed", "acme.com.", "acme.com。"],
    ["acme.com", "wildcard_removed", "*.acme.com"],
    ["acme.com", "challenge_label_removed", `${LABEL}.acme.com`, "_Service-Challenge.acme.com"],
    ["acme.com", "lowercased", "ACME.com"],
    ["acme.com", "idna_mapped", "acme。com", "ａcme.com"],
    ["acme.com", "www_removed", "www.acme.com"],
    ["foo.github.io", "www_removed", "www.foo.github.io"],
    ["xn--bcher-kva.de", "punycode_encoded", "bücher.de"],
    ["xn--bcher-kva.de", "lowercased punycode_encoded", "BÜCHER.de"],
    ["xn--bcher-kva.de", "idna_mapped punycode_encoded", "bu\u0308cher.de"],
    ["xn--fa-hia.de", "punycode_encoded", "faß.de"],
  ])("reads %s, %s", (ascii, steps, ...inputs) => {
    for (const input of inputs) {
      const name = normaliseName(input, LABEL);
      expect([name.ascii, name.normalisations.join(" ")], input).toEqual([ascii, steps]);
    }
  });

  it.each(["xn--bcher-kva.de", "www.app.acme.com", "www.github.io", "www.ck", "www.com", "com"])(
    "leaves %s as it is",
    (input) => {
      expect(normaliseName(input, LABEL)).toMatchObject({ ascii: input, normalisations: [] });
    },
  );

  it("C3.2: lists every step in the order it is applied", () => {
    const typed = " HTTPS://joe@*._service-challenge.WWW.Bu\u0308cher.de.:443/x ";
    const { normalisations, ...name } = normaliseName(typed, LABEL);
    expect(name).toEqual({
      ascii: "xn--bcher-kva.de",
      unicode: "bücher.de",
      isPublicSuffix: false,
      registrable: "xn--bcher-kva.de",
    });
    expect(normalisations.join(" ")).toBe(
      "trimmed scheme_removed userinfo_removed path_removed port_removed trailing_dot_removed " +
        "wildcard_removed challenge_label_removed lowercased idna_mapped punycode_encoded www_removed",
    );
  });

  it.each([
    ["co.uk", true, null],
    ["github.io", true, null],
    ["a.b.acme.co.uk", false, "acme.co.uk"],
  ])("knows a public suffix, private ones included: %s", (input, isPublicSuffix, registrable) => {
    expect(normaliseName(input, LABEL)).toMatchObject({ isPublicSuffix, registrable });
  });

  it("takes off a label without an underscore only where a whole domain is left", () => {
    expect(normaliseName("deed.acme.com", "deed").ascii).toBe("acme.com");
    expect(normaliseName("deed.com", "deed").ascii).toBe("deed.com");
    expect(normaliseName("ｄeed.co.uk", "deed").ascii).toBe("deed.co.uk");
  });

  it.each([
    [/^Type a domain/, "", "  \t", "https://", "."],
    [/two dots in a row/, "a..com", ".com"],
    [/IP address/, "127.0.0.1", "http://[2001:db8::1]:80/", "2001:db8::1", "::1"],
    [/IP address/, "::ffff:10.0.0.1", "fe80::1%eth0", "0x7f.1", "１２７.0.0.1", "2130706433"],
    [/last part of a domain cannot be a number/, "acme.0x1f", "acme.42"],
    [/contain spaces/, "ac me.com"],
    [/contain “_”/, "acme_.com"],
    [/contain “\*”/, "a*.acme.com"],
    [/contain “\\u\{0\}”/, "acme\u0000.com"],
    [/hyphen/, "-acme.com", "ab--cd.com"],
    [/internationalized/, "xn--a.com", "a\u200db.com", "aא.com"],
    [/longer than 63/, `${label("a", 64)}.com`],
    [/longer than 253/, `${[label("a"), label("b"), label("c"), label("d", 62)].join(".")}`],
    [/longer than 253/, "a".repeat(3000), `${" ".repeat(250)}a.de`],
    [/longer than 253/, `https://acme.com/${"a".repeat(240)}`, `acme.com${".".repeat(246)}`],
    [/longer than 253/, "\u{1f600}".repeat(254)],
  ] as [RegExp, ...string[]][])("refuses what it says %s of", (message, ...inputs) => {
    for (const input of inputs) expect(refusal(input), input).toMatch(message);
  });
});

it.each([
  ["acme.com", "https://www.ACME.com/x?y", "acme.com.", "*.acme.com", `${LABEL}.acme.com`],
  ["bücher", "BÜCHER", "www.bücher"],
  ["42", "42", "42."],
  ["https://", "https://"],
])("bareName finds %s, which may be part of a name", (name, ...texts) => {
  for (const text of texts) expect(bareName(text, LABEL), text).toBe(name);
});

// C3.6
const octets = (length: number) =>
  [label("a"), label("b"), label("c"), label("d", length - 3 * 64)].join(".");

it("claimableName takes a name whose challenge name has 253 octets, and none longer", () => {
  expect(claimableName(octets(234), LABEL).ascii).toHaveLength(234);
  expect(refusal(octets(235))).toMatch(/too long to prove.*at most 234/);
  expect(normaliseName(octets(235), LABEL).ascii).toHaveLength(235);
});

it.each([
  ["acme", "acme.com"],
  ["acme.com", null],
  ["com", null],
  ["localhost", null],
  ["_acme", null],
])("C3.4: %s was probably meant as %s", (typed, meant) => {
  expect(guessName(typed)).toBe(meant);
});

describe("published test data", () => {
  it("matches every row of Unicode's IdnaTestV2.txt", () => {
    const text = (cell: string) =>
      cell === '""'
        ? ""
        : cell.replace(/\\u([0-9A-F]{4})|\\x\{([0-9A-F]+)\}/gi, (_, four, more) =>
            String.fromCodePoint(Number.parseInt(four ?? more, 16)),
          );
    const isError = (status: string) => status.replace("X4_2", "").replace(/[[\], ]/g, "") !== "";
    const rows = referenceData("IdnaTestV2.txt")
      .split("\n")
      .map((line) => line.replace(/#.*/, "").split(";"))
      .filter((row) => row.length > 1)
      .map((row) => row.map((cell) => cell.replace(/^[ \t]+|[ \t]+$/g, "")));
    const failed = rows.filter(([source = "", unicode, unicodeStatus = "", ascii, asciiStatus]) => {
      const given = text(source);
      const expectedUnicode = unicode ? text(unicode) : given;
      const expectedAscii = ascii ? text(ascii) : expectedUnicode;
      const read = toUnicode(given);
      return !(
        read.domain === expectedUnicode &&
        read.error === isError(unicodeStatus) &&
        toAscii(given) === (isError(asciiStatus || unicodeStatus) ? null : expectedAscii)
      );
    });
    expect(rows.length).toBe(6391);
    expect(failed).toEqual([]);
  });

  it("matches the public suffix list's own checks", () => {
    const check = /^checkPublicSuffix\((null|'[^']*'), (null|'[^']*')\);/gm;
    const checks = [...referenceData("test_psl.txt").matchAll(check)];
    const unquote = (cell = "null") => (cell === "null" ? "" : cell.slice(1, -1));
    const registrable = (input: string) => {
      try {
        return normaliseName(input, LABEL).registrable;
      } catch {
        return null;
      }
    };
    const wanted = (cell = "null") => (cell === "null" ? null : toAscii(unquote(cell)));
    const failed = checks.filter(([, input, cell]) => registrable(unquote(input)) !== wanted(cell));
    expect(checks.length).toBe(78);
    expect(failed).toEqual([]);
  });
});

describe("generated names", () => {
  it("throw nothing but the contract's error, and settle", () => {
    const drawn = fc
      .constantFrom(LABEL, "deed")
      .chain((challenge) => fc.tuple(fc.constant(challenge), arbitraryName(challenge)));
    fc.assert(
      fc.property(drawn, ([challenge, input]) => {
        try {
          const once = normaliseName(input, challenge);
          const settled = { ...once, normalisations: [] };
          expect(normaliseName(once.ascii, challenge)).toEqual(settled);
          expect(normaliseName(once.unicode, challenge).ascii).toBe(once.ascii);
        } catch (error) {
          if (!(error instanceof DeedError) || error.code !== "invalid_domain") throw error;
        }
      }),
      { numRuns: 500 },
    );
  });

  it("map each upper-case character the way its lower case maps", () => {
    for (let point = 0x80; point < 0x110000; point += 1) {
      const character = String.fromCodePoint(point);
      const lower = character.toLowerCase();
      if (lower !== character) expect(toUnicode(lower)).toEqual(toUnicode(character));
    }
  });
});
