import type { Diagnosis } from "@deed/dns/verdict/diagnosis.ts";
import { DIAGNOSES } from "@deed/dns/words/diagnoses/diagnoses.ts";
import { describe, expect, it } from "vitest";
import { iso, MINUTE } from "#app/core/time.ts";
import { groupReads as groupAll, type ReadEntry } from "./claim-screen-reads.ts";

const at = (minutes: number) => iso(Date.UTC(2026, 2, 1) + minutes * MINUTE);

const seen = (code: keyof typeof DIAGNOSES, observed = {}) =>
  ({
    ...DIAGNOSES[code].example,
    code,
    observed: { ...DIAGNOSES[code].example.observed, ...observed },
  }) as Diagnosis;
const NEAR = { kind: "no_underscore", name: "service-challenge.acme.com" };
const WRONG_NAME = seen("record_absent", { nearMiss: NEAR });
const readAt = (minutes: number, change: Partial<ReadEntry> = {}): ReadEntry => ({
  ...{ id: `att_${minutes}`, at: at(minutes), outcome: "absent", trigger: "scheduled" },
  ...{ diagnosis: WRONG_NAME, ...change },
});
const unreachable = { outcome: "unresolvable", diagnosis: null } as const;

const groupReads = (reads: ReadEntry[]) => groupAll(reads, "waiting_for_record");

describe("groups of reads", () => {
  it("are runs that came to the same", () => {
    const reads = [
      readAt(40, { outcome: "found", diagnosis: null }),
      readAt(30),
      readAt(20),
      readAt(10, { trigger: "requested" }),
      readAt(1, unreachable),
    ];
    const group = (newest: number, oldest: number, result: [string, string, number]) => {
      const [says, tone, count] = result;
      const results = [{ says, tone, count }];
      const ends = { id: `att_${newest}`, at: at(newest), since: at(oldest) };
      return { ...ends, trigger: "scheduled", results };
    };
    expect(groupReads(reads)).toEqual([
      group(40, 40, ["found", "proved", 1]),
      group(30, 10, ["The record is on the wrong name", "needs", 3]),
      group(1, 1, ["DNS could not be reached", "ended", 1]),
    ]);
    expect(groupReads([])).toEqual([]);
  });

  it.each([
    [null, { says: "found, not confirmed yet", tone: "waiting" }],
    ["negative_cache", { says: "Resolvers still have the old answer cached", tone: "waiting" }],
    ["servfail", { says: "The domain’s DNSSEC is broken", tone: "needs" }],
  ] as const)("tell a wait from a mistake: %s", (code, result) => {
    expect(groupReads([readAt(1, { diagnosis: code && seen(code) })])).toMatchObject([
      { results: [result] },
    ]);
  });

  it("say that there is no record yet, whatever the zone shows of its absence", () => {
    const bare = [
      seen("record_absent", { nearMiss: null }),
      seen("not_published", { publishedOn: [], resolvers: undefined }),
      seen("no_matching_record", { wildcard: true }),
    ];
    const reads = bare.map((diagnosis, index) => readAt(9 - index, { diagnosis }));
    const results = [{ says: "no record yet", tone: "waiting", mark: "needs", count: 3 }];
    expect(groupReads(reads)).toMatchObject([{ results }]);
    expect(groupAll(reads, "needs_you")).toMatchObject([{ results: [{ tone: "needs" }] }]);
    expect(groupAll(reads, null)).toMatchObject([{ results: [{ tone: "ended" }] }]);
  });

  it("take a whole day each where runs are many, and lose no read", () => {
    const reads = Array.from({ length: 2_000 }, (_, index) =>
      readAt(10_075 - index * 5, index % 2 ? unreachable : {}),
    );
    const groups = groupReads(reads);
    const counted = groups.flatMap(({ results }) => results.map((result) => result.count));
    expect(counted.reduce((sum, each) => sum + each, 0)).toBe(2_000);
    expect(groups.length).toBeLessThanOrEqual(24 + 8);
    expect(groups.at(-1)).toMatchObject({
      since: reads.at(-1)?.at,
      results: [{ says: "The record is on the wrong name" }, { says: "DNS could not be reached" }],
    });
  });
});
