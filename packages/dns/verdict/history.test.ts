import { expect, it } from "vitest";
import {
  AT,
  absence,
  alias,
  HISTORY,
  misplaced,
  NODATA,
  SERIAL,
  values,
} from "../testing/observations.ts";
import { progressOf } from "../testing/verdicts.ts";
import { isHigherSerial } from "./decide.ts";
import type { History } from "./history.ts";
import type { Observation } from "./observation.ts";

const nothing = absence([NODATA]);
const READS: Record<string, Observation> = {
  nothing,
  record: absence([values("other")]),
  alias: absence([alias("parked.test")]),
  misplaced: absence([NODATA], { misplaced: [misplaced("apex", "a.test")] }),
  address: absence([NODATA], { typesAtName: ["A"], wildcard: false }),
  wildcard: absence([NODATA], { typesAtName: ["A"], wildcard: "*.a.test" }),
  silent: absence(["timeout"], { soa: null }),
};

/** The history after these reads, one minute apart. */
function after(...reads: string[]): History {
  const history = { ...HISTORY };
  for (const [index, read] of reads.entries()) {
    const seen = { ...(READS[read] ?? nothing), at: AT + index * 60_000 };
    Object.assign(history, progressOf(seen, history));
  }
  return history;
}

it.each([
  [["nothing"], AT],
  [["nothing", "nothing", "silent", "nothing"], AT],
  [["silent"], null],
  [["silent", "nothing", "nothing"], AT + 60_000],
  [["wildcard", "wildcard"], AT],
  ...["record", "alias", "misplaced", "address"].flatMap((seen) => [
    [["nothing", seen], null] as const,
    [["nothing", seen, "nothing"], null] as const,
    [[seen, "nothing", "nothing"], null] as const,
  ]),
] as const)("C7.13: after %j the serial has stood since %s", (reads, since) => {
  const { firstSerial, serialSince } = after(...reads);
  expect(serialSince).toBe(since);
  expect(firstSerial).toBe(reads.every((read) => read === "silent") ? null : SERIAL);
});

/** RFC 1982 section 5.1 for eight bits, shifted to 32; a date against a counter that starts at one; undefined orders. */
it("tells the higher of two serials", () => {
  const HIGHER = [
    [1, 0],
    [0, 0xffff_ffff],
    [0x2c00_0000, 0x2b00_0000],
    [0x6400_0000, 0],
    [0, 0xc800_0000],
    [2024060101, 7],
  ] as const;
  for (const [one, other] of HIGHER)
    expect([isHigherSerial(one, other), isHigherSerial(other, one)]).toEqual([true, false]);
  expect([isHigherSerial(7, 7), isHigherSerial(0x8000_0000, 0)]).toEqual([false, false]);
});
