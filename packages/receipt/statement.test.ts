import { expect, it } from "vitest";
import { canonicalJson } from "./statement.ts";

it("writes the example of RFC 8785 section 3.2.2", () => {
  const example = {
    numbers: [Number("333333333.33333329"), 1e30, 4.5, 2e-3, 1e-27],
    string: '€$\u000f\nA\'B"\\\\"/',
    literals: [null, true, false],
  };
  expect(canonicalJson(example)).toBe(
    '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
  );
});

it("sorts names by UTF-16 code units, as RFC 8785 section 3.2.3 has it", () => {
  const names = ["€", "\r", "\ufb33", "1", "\u{1f600}", "\u0080", "ö"];
  const sorted = Object.keys(
    JSON.parse(canonicalJson(Object.fromEntries(names.map((name) => [name, ""])))) as object,
  );
  // JavaScript objects put integer names first.
  expect(sorted).toEqual(["1", "\r", "\u0080", "ö", "€", "\u{1f600}", "\ufb33"]);
  expect(canonicalJson({ b: 1, "\r": 2, "1": 3 })).toBe('{"\\r":2,"1":3,"b":1}');
});

it("refuses what has no canonical text", () => {
  expect(() => canonicalJson("\ud800")).toThrow(TypeError);
  expect(() => canonicalJson(Number.NaN)).toThrow(TypeError);
  expect(canonicalJson({ a: undefined, b: [] })).toBe('{"b":[]}');
});
