import { expect, it } from "vitest";
import { isHigherSerial } from "./stuck-copy.ts";

/** RFC 1982 section 5.1 for eight bits, shifted to 32; a date against a counter from one; and undefined orders. */
it.each([
  [1, 0, true],
  [0, 1, false],
  [7, 7, false],
  [0, 0xffff_ffff, true],
  [0x2c00_0000, 0x2b00_0000, true],
  [0x6400_0000, 0, true],
  [0, 0x6400_0000, false],
  [0x0000_0000, 0xc800_0000, true],
  [2024060101, 7, true],
  [7, 2024060101, false],
  [0x8000_0000, 0, false],
])("%i above %i: %s", (one, other, isHigher) => {
  expect(isHigherSerial(one, other)).toBe(isHigher);
});
