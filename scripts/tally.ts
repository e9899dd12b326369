import { relative } from "node:path";

/** What a suite came to. `failures` names each failed test and each file that broke, with the first line of why. */
export type Tally = { passed: number; skipped: number; failures: string[] };

type VitestReport = {
  numPassedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  testResults: {
    name: string;
    status: string;
    message: string;
    assertionResults: { status: string; fullName: string; failureMessages: string[] }[];
  }[];
};
type PlaywrightSuite = {
  file: string;
  suites?: PlaywrightSuite[];
  specs: {
    title: string;
    tests: { status: string; results: { error?: { message?: string } }[] }[];
  }[];
};
type PlaywrightReport = {
  stats: { expected: number; skipped: number };
  suites: PlaywrightSuite[];
  errors: { message?: string }[];
};

const firstLine = (text = "") => text.split("\n")[0] ?? "";
const NOTHING: Tally = { passed: 0, skipped: 0, failures: [] };

/** Of a report of Vitest's JSON reporter, if there is one. */
export function ofVitest(report: VitestReport | null): Tally {
  if (!report) return NOTHING;
  return {
    passed: report.numPassedTests,
    skipped: report.numPendingTests + report.numTodoTests,
    failures: report.testResults.flatMap(({ name: path, status, message, assertionResults }) => {
      const name = relative(process.cwd(), path);
      const failed = assertionResults
        .filter((test) => test.status === "failed")
        .map((test) => `${name}: ${test.fullName}: ${firstLine(test.failureMessages[0])}`);
      return failed.length > 0 || status !== "failed" ? failed : [`${name}: ${firstLine(message)}`];
    }),
  };
}

const failuresIn = ({ file, suites = [], specs }: PlaywrightSuite): string[] => [
  ...specs.flatMap(({ title, tests }) =>
    tests
      .filter(({ status }) => status === "unexpected" || status === "flaky")
      .map(({ results }) => `${file}: ${title}: ${firstLine(results[0]?.error?.message)}`),
  ),
  ...suites.flatMap(failuresIn),
];

/** Of a report of Playwright's JSON reporter, if there is one. */
export function ofPlaywright(report: PlaywrightReport | null): Tally {
  if (!report) return NOTHING;
  const { stats, suites, errors } = report;
  return {
    passed: stats.expected,
    skipped: stats.skipped,
    failures: [
      ...suites.flatMap(failuresIn),
      ...errors.map(({ message }) => `browser tests: ${firstLine(message)}`),
    ],
  };
}

/** The tally of a suite that ended with `status`: it failed if it says so, or if no test passed. */
export function judged(name: string, status: number | null, tally: Tally): Tally {
  const isBroken = status !== 0 || tally.passed === 0;
  if (!isBroken || tally.failures.length > 0) return tally;
  return { ...tally, failures: [`${name}: ended with ${status ?? "a signal"}`] };
}

/** The last line of a run. */
export function closingLine(tallies: readonly Tally[]): string {
  const sum = (count: (tally: Tally) => number) =>
    tallies.reduce((total, tally) => total + count(tally), 0);
  const skipped = sum((tally) => tally.skipped);
  const counts = `${sum((tally) => tally.passed)} passed, ${sum((tally) => tally.failures.length)} failed`;
  return skipped > 0 ? `${counts}, ${skipped} skipped` : counts;
}
