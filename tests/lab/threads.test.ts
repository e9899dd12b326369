import type { Diagnosis } from "@deed/dns/verdict/diagnosis.ts";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readerSettings } from "../support/reader-settings.ts";
import { isFull } from "../support/size.ts";
import { claimReads, LABEL } from "./case.ts";
import { FARM_PROGRAMS, startFarm } from "./farm.ts";
import { describeLab } from "./lab.ts";
import { INVENTED } from "./threads/invented.ts";
import { RECORD_THREADS } from "./threads/records.ts";
import { SERVER_THREADS } from "./threads/servers.ts";
import type { Thread } from "./threads/thread.ts";

const OF_OTHERS = [...RECORD_THREADS, ...SERVER_THREADS];
const THREADS = [...OF_OTHERS, ...INVENTED];
const READS_AT_ONCE = 6;
/** Reads of a thread that is read again until the right code comes. */
const MOST_READS = 5;
/** Threads with reads of dead servers. */
const SLOW = ["label-delegated", "old-glue", "server-at-home"];
/** Threads with wrong answers: tests/evidence/diagnoses-tried.md counts them. */
const NOT_RIGHT: Record<string, string> = {
  "each-other": "wrong",
  "parked-host": "no help",
  "twice-delegated": "no help",
};
const rightOf = ({ id }: Thread) => NOT_RIGHT[id] ?? "right";

type Told = { code: string; diagnosis: Diagnosis | null; words: string; took: number };

function has(observed: object | undefined, part: object): boolean {
  try {
    expect(observed ?? {}).toMatchObject(part);
    return true;
  } catch {
    return false;
  }
}

/** "harm": following it does harm; "wrong": it sends to another party or misleads; "no help": something is missing. */
function judge({ codes, awaits, tells, says, never, harm, warns }: Thread, told: Told) {
  const isSaid = (phrase: RegExp) => phrase.test(told.words);
  if (harm.some(isSaid) || !warns.every(isSaid)) return "harm";
  const { diagnosis } = told;
  const isWrong = diagnosis !== null && awaits.length > 0 && !awaits.includes(diagnosis.awaits);
  if (isWrong || never.some(isSaid)) return "wrong";
  const isNamed = told.code === "found" || says.every(isSaid);
  const isRight = codes.includes(told.code) && isNamed && has(diagnosis?.observed, tells);
  return isRight ? "right" : "no help";
}

describeLab(
  "threads of others, and mistakes that depend on a program, judged",
  () => {
    let farm: Awaited<ReturnType<typeof startFarm>>;
    beforeAll(async () => {
      farm = await startFarm(
        THREADS.flatMap(({ farmed }) => farmed),
        THREADS.flatMap(({ zones }) => zones),
      );
      for (const { domain, added } of THREADS) {
        if (!added) continue;
        await farm.lab.prime(`${LABEL}.${domain}`);
        await farm.lab.setZone(domain, added);
      }
    });
    afterAll(() => farm?.stop());

    /** The answer of the first read, or of a later one. */
    async function tell({ domain, later, again, codes }: Thread): Promise<Told> {
      const reads = claimReads(readerSettings(farm.lab.env), domain);
      try {
        let start = performance.now();
        const readAfter = async (ms: number) => {
          start = performance.now();
          return reads.read(ms);
        };
        let told = await readAfter(0);
        if (later > 0) told = await readAfter(later * 60_000);
        for (let count = 1; again && !codes.includes(told.code) && count < MOST_READS; count += 1)
          told = await readAfter(4_000);
        return { ...told, took: performance.now() - start };
      } finally {
        reads.close();
      }
    }

    it("are judged as on the page", { timeout: 300_000 }, async () => {
      expect(new Set(OF_OTHERS.map(({ source }) => source)).size).toBe(60);
      const judged: Record<string, string> = {};
      const look = async (one: Thread) => {
        const told = await tell(one);
        const judgement = judge(one, told);
        judged[one.id] = judgement;
        const { code, diagnosis, took, words } = told;
        const what = `${code} ${diagnosis?.awaits ?? null}: ${words}`;
        console.log(`${judgement}: ${one.id}, ${took.toFixed()} ms: ${what}`);
      };
      const all = THREADS.filter(({ id }) => isFull || !SLOW.includes(id));
      const waiting = [...all];
      const work = async () => {
        for (let one = waiting.shift(); one; one = waiting.shift()) await look(one);
      };
      await Promise.all(Array.from({ length: READS_AT_ONCE }, work));
      // Among the others an answer may have been late; alone, a thread must be as built.
      for (const one of all) if (judged[one.id] !== rightOf(one)) await look(one);
      expect(judged).toEqual(Object.fromEntries(all.map((one) => [one.id, rightOf(one)])));
    });
  },
  FARM_PROGRAMS,
);
