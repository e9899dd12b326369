import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { difference } from "./compare.tsx";

describe("difference", () => {
  it("marks what a panel appended", () => {
    expect(difference("_x.acme.com.acme.com", "_x.acme.com")).toEqual({
      start: "_x.acme.com",
      found: ".acme.com",
      expected: "",
      end: "",
    });
  });

  it("marks what is missing", () => {
    expect(difference("acme.com", "_x.acme.com")).toEqual({
      start: "",
      found: "",
      expected: "_x.",
      end: "acme.com",
    });
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
