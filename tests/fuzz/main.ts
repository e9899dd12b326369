/**
 * `npm run fuzz`: sends generated requests to a built service and checks every response against its description. `npm
 * run fuzz -- 20000 7`: number of requests and seed. `npm run fuzz -- forgers 100000 7`: number of claims, and seed, on
 * zones in which an attacker controls some servers; `-- forger 123` prints one of them. `npm run fuzz -- silence 200 7`:
 * number of zones, and seed, of the attack on silence.
 */
import { forgeries, lookInto, toldOf } from "./forgeries.ts";
import { fuzz, told } from "./run.ts";
import { attackOnSilence, toldOfSilence } from "./silences.ts";

const [what, ...rest] = process.argv.slice(2);
const seedOf = (text: string | undefined) => Number(text ?? Date.now() % 2 ** 31);
const showing = (total: number) => (done: number) => {
  if (done % 100 === 0) process.stderr.write(`\r${done} of ${total}`);
};

async function fuzzReader(): Promise<boolean> {
  const [claims, seed] = [Number(rest[0] ?? 20_000), seedOf(rest[1])];
  console.log(`seed ${seed}`);
  const report = await forgeries({ claims, seed, progress: showing(claims) });
  console.log(`\n${toldOf(report)}`);
  return report.wrong.length === 0;
}

async function fuzzSilence(): Promise<boolean> {
  const [zones, seed] = [Number(rest[0] ?? 200), seedOf(rest[1])];
  console.log(`seed ${seed}`);
  const report = await attackOnSilence({ zones, seed });
  console.log(toldOfSilence(report));
  return report.wrong.length + report.unproved.length === 0;
}

async function fuzzService(): Promise<boolean> {
  const [requests, seed] = [Number(what ?? 6_000), seedOf(rest[0])];
  console.log(`seed ${seed}`);
  const report = await fuzz({ requests, seed, progress: showing(requests) });
  console.log(`\n${told(report)}`);
  const isWorking = (statuses: Set<number>) => [...statuses].some((status) => status < 400);
  const idle = [...report.answered].filter(([, statuses]) => !isWorking(statuses));
  console.log(
    `operations that never did their work: ${idle.map(([name]) => name).join() || "none"}`,
  );
  return report.findings.length === 0;
}

if (what === "forger") {
  console.dir(await lookInto(Number(rest[0])), { depth: 8, maxArrayLength: null });
} else {
  const run = { forgers: fuzzReader, silence: fuzzSilence }[what ?? ""] ?? fuzzService;
  process.exitCode = (await run()) ? 0 : 1;
}
