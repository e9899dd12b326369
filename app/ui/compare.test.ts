import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { difference } from "./compare.tsx";

describe("difference", () => {
  it.each([
    ["appended", "_x.acme.com.acme.com", ["_x.acme.com", ".acme.com", "", ""]],
    ["missing", "acme.com", ["", "", "_x.", "acme.com"]],
  ])("marks what is %s", (_, text, [start, found, expected, end]) => {
    expect(difference(text, "_x.acme.com")).toEqual({ start, found, expected, end });
  });

  it("puts both texts together again, and never cuts a character in two", () => {
    const text = fc.string({ unit: "grapheme", maxLength: 40 });
    fc.assert(
      fc.property(text, text, (found, expected) => {
        const cut = difference(found, expected);
        expect(cut.start + cut.found + cut.end).toBe(found);
        expect(cut.start + cut.expected + cut.end).toBe(expected);
        for (const part of Object.values(cut)) expect(() => encodeURIComponent(part)).not.toThrow();
      }),
    );
  });
});
