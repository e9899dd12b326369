import { describe, expect, it } from "vitest";
import { closingLine, judged, ofPlaywright, ofVitest } from "./tally.ts";

const file = (status: string, message = "", tests: string[] = []) => ({
  name: "a.test.ts",
  status,
  message,
  assertionResults: tests.map((one) => ({
    status: one,
    fullName: "adds",
    failureMessages: one === "failed" ? ["Error: no\n  at a.test.ts"] : [],
  })),
});
const vitest = (passed: number, ...testResults: ReturnType<typeof file>[]) =>
  ofVitest({ numPassedTests: passed, numPendingTests: 2, numTodoTests: 0, testResults });
const spec = (status: string) => ({
  title: "opens",
  tests: [{ status, results: [{ error: { message: "Error: no\n" } }] }],
});
const playwright = (expected: number, statuses: string[], errors: { message: string }[] = []) =>
  ofPlaywright({
    stats: { expected, skipped: 0 },
    errors,
    suites: [
      { file: "a.spec.ts", specs: [], suites: [{ file: "a.spec.ts", specs: statuses.map(spec) }] },
    ],
  });

const ONE_FAILED = "3 passed, 1 failed, 2 skipped";
const SCREENS = ["expected", "flaky", "unexpected"];

describe("the closing line", () => {
  it.each([
    ["passed", 0, vitest(3, file("passed", "", ["passed"])), "3 passed, 0 failed, 2 skipped"],
    ["has a failed test", 1, vitest(3, file("failed", "", ["failed"])), ONE_FAILED],
    ["has a file that did not load", 1, vitest(3, file("failed", "No such module")), ONE_FAILED],
    ["failed outside its tests", 1, vitest(3, file("passed")), ONE_FAILED],
    ["passed nothing", 0, vitest(0), "0 passed, 1 failed, 2 skipped"],
    ["wrote no report", 1, ofVitest(null), "0 passed, 1 failed"],
    ["was ended", null, ofPlaywright(null), "0 passed, 1 failed"],
    ["has a flaky and a failed screen", 1, playwright(4, SCREENS), "4 passed, 2 failed"],
    ["has no browser", 1, playwright(0, [], [{ message: "no Chromium" }]), "0 passed, 1 failed"],
  ] as const)("of a suite that %s", (_, status, tally, line) => {
    expect(closingLine([judged("a suite", status, tally)])).toBe(line);
  });

  it("adds the suites up, each failure with why", () => {
    const tallies = [
      judged("unit", 1, vitest(3, file("failed", "No such module\nat x"))),
      judged("browser", 1, playwright(4, ["unexpected"])),
    ];
    expect(closingLine(tallies)).toBe("7 passed, 2 failed, 2 skipped");
    expect(tallies.flatMap(({ failures }) => failures)).toEqual([
      "a.test.ts: No such module",
      "a.spec.ts: opens: Error: no",
    ]);
  });
});
