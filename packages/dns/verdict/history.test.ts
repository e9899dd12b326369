import { describe, expect, it } from "vitest";
import {
  AT,
  absence,
  HISTORY,
  NAME,
  NODATA,
  observation,
  SOA,
  values,
} from "../testing/observations.ts";
import { isHigherSerial, progressOf } from "./decide.ts";
import { type History, isSerialReliable, type SerialMemory } from "./history.ts";
import type { Failure, Observation, TxtAnswer } from "./observation.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** A nameserver's answer: a number is a negative answer with that serial, a string is a record (without a serial). */
type ServerResult = number | string | { failure: Failure };
const answerOf = (result: ServerResult): TxtAnswer | Failure =>
  typeof result === "number"
    ? { ...NODATA, soa: { ...SOA, serial: result } }
    : typeof result === "string"
      ? values(result)
      : result.failure;
const SILENT = { failure: "timeout" } as const;

type Read = { at: number; said: ServerResult[]; change?: Partial<Observation> };

/** Reads one minute apart, as "7 7 | x - | 9 9": a serial, a record or silence of each nameserver. */
const readsOf = (text: string): Read[] =>
  text.split(" | ").map((read, index) => ({
    at: AT + index * MINUTE,
    said: read.split(" ").map((one) => (one === "-" ? SILENT : Number(one) || one)),
  }));

/** The memory after these reads. */
function memoryAfter(reads: string | Read[], history: History = HISTORY): SerialMemory | null {
  let memory = history.serials;
  for (const { at, said, change } of typeof reads === "string" ? readsOf(reads) : reads) {
    const seen = absence(said.map(answerOf), { at, ...change });
    memory = progressOf(seen, { ...history, serials: memory }).serials;
  }
  return memory;
}

describe("what reads show about a zone's serial", () => {
  it.each([
    ["nothing: no change was seen", null, "7 7 | 7 7 | 9 9"],
    ["it counts: it moved with a record that went", true, "7 7 | x x | 9 9"],
    ["it stands still: a record came and went", false, "7 7 | x x | 7 7"],
    ["it stands still, silence between", false, "7 7 | x x | - - | 7 7"],
    ["nothing yet: the record is there, and says no serial", null, "7 7 | x x"],
    ["nothing: a record was there from the beginning", null, "x x | 9 9"],
    ["it counts, though it went back", true, "7 7 | x x | 3 3"],
    ["it stands still, whatever it did before", false, "7 7 | x x | 9 9 | y y | 9 9"],
    ["it stands still, whatever it does later", false, "7 7 | x x | 7 7 | y y | 9 9"],
    ["nothing of a move in silence", null, "7 7 | - - | 9 9"],
    ["a liar that moves alone proves no counting", null, "7 7 7 | x 7 7 | 9 7 7"],
    ["nor with all others silent", null, "7 7 7 | x - - | 9 - -"],
    ["nor half of them", null, "7 7 | x - | 9 -"],
    ["a liar that stands still takes the claim away", false, "7 7 7 | x x x | 7 9 9"],
    ["a silent one does not", true, "7 7 7 | x x x | - 9 9"],
    ["another server's serial is not compared", null, "7 9 | x x | - 10"],
  ])("%s", (_, counts, reads) => {
    expect(memoryAfter(reads)?.counts).toBe(counts);
  });

  it("does not attribute a serial change to a record change long before", () => {
    const within = (ms: number) =>
      memoryAfter([
        { at: AT, said: [7, 7] },
        { at: AT + 1, said: ["x", "x"] },
        { at: AT + ms, said: [9, 9] },
      ]);
    expect(within(2 * HOUR)?.counts).toBe(true);
    expect(within(2 * HOUR + 1)?.counts).toBe(null);
  });

  it("keeps to one zone, and to its delegated nameservers", () => {
    const memory = memoryAfter("7 7 | x x | 9 9");
    const other = observation().delegation;
    const moved = { ...other, zone: "other.com" } as Observation["delegation"];
    const read = (delegation: Observation["delegation"]) =>
      progressOf(absence([NODATA], { delegation }), { ...HISTORY, serials: memory }).serials;
    expect(read(moved)).toMatchObject({
      zone: "other.com",
      counts: null,
      servers: [{ host: "ns1.dns.test", serial: null }],
    });
    expect(read({ ...other, nameservers: ["ns9.dns.test"] } as never)?.servers).toEqual([]);
    expect(read({ type: "unreachable", zone: "com" })).toEqual(memory);
  });

  it("stays small, whatever is at the name", () => {
    const crowd = absence(Array.from({ length: 13 }, () => values("x".repeat(60_000), "y")));
    expect(JSON.stringify(progressOf(crowd, HISTORY).serials).length).toBeLessThan(2_000);
  });
});

describe("a claim in a zone that another claim has read", () => {
  const proved = memoryAfter("7 7 | token token");
  const next = (results: ServerResult[], challengeName: string) => {
    const history = { ...HISTORY, otherSerials: () => (proved ? [proved] : []) };
    return memoryAfter([{ at: AT + HOUR, said: results, change: { challengeName } }], history);
  };

  it("learns from the change that ended the other claim", () => {
    expect(next([9, 9], "_c.app.acme.com")?.counts).toBe(true);
    expect(next([7, 7], "_c.app.acme.com")?.counts).toBe(false);
    expect(next([9, 9], NAME)?.counts).toBe(true);
  });

  it("does not take the difference between two names for a change", () => {
    const memory = memoryAfter("x 7");
    const history = { ...HISTORY, otherSerials: () => (memory ? [memory] : []) };
    const read: Read = { at: AT, said: [9, 7], change: { challengeName: "_c.app.acme.com" } };
    expect(memoryAfter([read, read], history)).toMatchObject({ counts: null });
  });

  it("says nothing about the serial once one claim's reads disprove it", () => {
    const read = absence([answerOf(7)]);
    const known = (...counts: (boolean | null)[]) =>
      isSerialReliable(read, {
        serials: null,
        otherSerials: () =>
          counts.map((one) => ({ zone: SOA.zone, name: NAME, counts: one, servers: [] })),
      });
    expect([known(), known(null), known(true), known(true, false), known(null, true)]).toEqual([
      false,
      false,
      true,
      false,
      true,
    ]);
  });
});

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
