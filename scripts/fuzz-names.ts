/**
 * Feeds generated inputs to normaliseName and counts violations: an error outside the contract, a result that a second
 * pass changes, an ASCII form that is not a host name. Usage: tsx scripts/fuzz-names.ts [count] [seed]
 */
import fc from "fast-check";
import { DeedError } from "#app/core/errors.server.ts";
import { normaliseName } from "#app/core/names/domain-name.ts";
import { arbitraryName } from "./arbitrary-name.ts";

const count = Number(process.argv[2] ?? 1_000_000);
const seed = Number(process.argv[3] ?? Date.now() % 2 ** 31);
const label = "_service-challenge";
const HOST_NAME =
  /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/;

const tally = { accepted: 0, refused: 0, threw: 0, changed: 0, malformed: 0, slowestMs: 0 };
const remark = (what: string, input: string, detail: unknown) =>
  console.error(what, JSON.stringify(input), detail);

fc.assert(
  fc.property(arbitraryName(label), (input) => {
    const started = performance.now();
    try {
      const once = normaliseName(input, label);
      tally.accepted += 1;
      if (!HOST_NAME.test(once.ascii)) {
        tally.malformed += 1;
        remark("malformed", input, once);
      }
      const twice = normaliseName(once.ascii, label);
      const back = normaliseName(once.unicode, label);
      if (
        twice.ascii !== once.ascii ||
        twice.normalisations.length > 0 ||
        back.ascii !== once.ascii
      ) {
        tally.changed += 1;
        remark("changed", input, { once, twice, back });
      }
    } catch (error) {
      if (error instanceof DeedError && error.code === "invalid_domain") tally.refused += 1;
      else {
        tally.threw += 1;
        remark("threw", input, error);
      }
    }
    tally.slowestMs = Math.max(tally.slowestMs, performance.now() - started);
  }),
  { numRuns: count, seed },
);

console.log({ count, seed, ...tally, slowestMs: Math.round(tally.slowestMs) });
process.exitCode = tally.threw + tally.changed + tally.malformed > 0 ? 1 : 0;
