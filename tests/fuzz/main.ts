/** `npm run fuzz -- forgers 100000 7` reads that many claims with seed 7; `-- forger 123` prints one of them. */
import { forgeries, lookInto, toldOf } from "./forgeries.ts";

const [what, ...rest] = process.argv.slice(2);

if (what === "forger") {
  console.dir(await lookInto(Number(rest[0])), { depth: 8, maxArrayLength: null });
} else {
  const [claims, seed] = [Number(rest[0] ?? 20_000), Number(rest[1] ?? Date.now() % 2 ** 31)];
  console.log(`seed ${seed}`);
  const progress = (done: number) => {
    if (done % 100 === 0) process.stderr.write(`\r${done} of ${claims}`);
  };
  const report = await forgeries({ claims, seed, progress });
  console.log(`\n${toldOf(report)}`);
  process.exitCode = report.wrong.length === 0 ? 0 : 1;
}
