import { relative } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The files that take longest, in this order: if begun last, one of them would run alone at the end. */
const LONGEST = [
  "tests/lab/rule.test.ts",
  "tests/lab/threads.test.ts",
  "tests/service/database-of-0.2.test.ts",
  "tests/service/commands.test.ts",
  "tests/security/pages.test.ts",
  "tests/reliability/crash.test.ts",
  "tests/contract/verifications.test.ts",
  "tests/service/demo.test.ts",
  "tests/reliability/database-file.test.ts",
  "tests/reliability/floods.test.ts",
  "packages/dns/fault-matrix.test.ts",
  "packages/dns/fixes.test.ts",
  "packages/playground/panel/situations.test.ts",
  "packages/receipt/stamp-attack.test.ts",
];

/**
 * In each project, files in LONGEST come first, in its order, then the others in Vitest's: by their last time, or else by
 * size. One project after the other: for a file of another one, a worker ends, and its successor loads all modules again.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const others = await super.sort(files);
    const listed = LONGEST.flatMap((path) =>
      others.filter(({ moduleId }) => relative(process.cwd(), moduleId) === path),
    );
    return [...new Set([...listed, ...others])].sort((a, b) =>
      a.project.name.localeCompare(b.project.name),
    );
  }
}
