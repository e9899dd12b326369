import { describe, expect, it } from "vitest";
import { drawPicture, wrapName } from "./draw.ts";
import { CELL, HEIGHT, ROW } from "./picture-parts.ts";

describe("a name in lines", () => {
  it.each([
    ["harbour.example", 20, ["harbour.example"]],
    ["quality.harbour.example", 16, ["quality.harbour.", "example"]],
    ["aaaaaaaaaaaa.example", 8, ["aaaaaaaa", "aaaa.", "example"]],
    ["m•••@harbour.example", 8, ["m•••@", "harbour.", "example"]],
  ])("breaks %s at dots, or else where a line of %i ends", (name, columns, lines) => {
    expect(wrapName(name, columns)).toEqual(lines);
  });
});

describe("a picture", () => {
  const black = Buffer.alloc(CELL.width * CELL.height, 255);
  const parts = {
    sheet: Buffer.alloc(HEIGHT * ROW, 255),
    letters: new Map(
      [..." -.0123456789@ACDINOPSTUabcdefghijklmnopqrstuvwxyz:•"].map((l) => [l, black]),
    ),
  };
  const text = { heldBy: "m•••@acme.com", moment: "12 March 2026 at 14:03:22 UTC" };
  /** The lines of pixels of a picture that are not empty. */
  const used = (domain: string, unicodeDomain = domain) => {
    const rows = drawPicture(parts, { ...text, domain, unicodeDomain });
    return Array.from({ length: HEIGHT }, (_, y) => y).filter((y) =>
      rows.subarray(y * ROW, (y + 1) * ROW).some((value) => value !== 255),
    );
  };
  const longest = `${"a".repeat(63)}.${"w".repeat(63)}.${"c".repeat(63)}.${"d".repeat(61)}`;

  it("keeps the longest name inside the sheet", () => {
    for (const name of ["acme.com", longest]) expect(used(name).at(-1)).toBeLessThan(590);
  });

  it("shows a name whose letters it lacks in ASCII alone", () => {
    expect(used("xn--fsqu00a.com", "\u4f8b\u5b50.com")).toEqual(used("xn--fsqu00a.com"));
    expect(used("xn--fsqu00a.com", "ab.com")).not.toEqual(used("xn--fsqu00a.com"));
  });
});
