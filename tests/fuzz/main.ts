/**
 * `npm run fuzz`: sends generated requests to a built service of its own and judges every answer by its description.
 * `npm run fuzz -- 20000 7`: so many requests, that seed.
 */
import { fuzz, told } from "./run.ts";

const requests = Number(process.argv[2] ?? 6_000);
const seed = Number(process.argv[3] ?? Date.now() % 2 ** 31);
console.log(`seed ${seed}`);

const report = await fuzz({
  requests,
  seed,
  progress: (sent) => process.stderr.write(`\r${sent} of ${requests}`),
});
console.log(`\n${told(report)}`);

const unreached = [...report.answered].filter(
  ([, statuses]) => ![...statuses].some((status) => status < 400),
);
console.log(
  `operations that never did their work: ${unreached.map(([name]) => name).join(", ") || "none"}`,
);
process.exitCode = report.findings.length > 0 ? 1 : 0;
