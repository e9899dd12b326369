import { afterAll, beforeAll, expect, it } from "vitest";
import { readerSettings } from "../support/reader-settings.ts";
import { isFull } from "../support/size.ts";
import { claimReads, LABEL } from "./case.ts";
import { describeLab } from "./lab.ts";
import { FARM_PROGRAMS, startFarm } from "./scenarios/farm.ts";
import { RECORD_THREADS } from "./threads/records.ts";
import { SERVER_THREADS } from "./threads/servers.ts";
import type { Thread } from "./threads/thread.ts";

const THREADS = [...RECORD_THREADS, ...SERVER_THREADS];
const READS_AT_ONCE = 6;
/** Threads with reads of dead servers. */
const SLOW = ["label-delegated", "old-glue", "server-at-home"];
/** Threads with wrong answers: tests/evidence/diagnoses-tried.md counts them. */
const NOT_RIGHT = {
  harm: "",
  wrong: "each-other",
  "no help": "parked-host twice-delegated",
};

type Told = { code: string; awaits: string | null; words: string; took: number };

/** "harm": following it does harm; "wrong": it sends to another party or misleads; "no help": something is missing. */
function judge({ codes, awaits, says, never, harm, warns }: Thread, told: Told) {
  const has = (phrase: RegExp) => phrase.test(told.words);
  if (harm.some(has) || !warns.every(has)) return "harm";
  const isWrong = told.awaits !== null && awaits.length > 0 && !awaits.includes(told.awaits);
  if (isWrong || never.some(has)) return "wrong";
  const isNamed = told.code === "found" || says.every(has);
  return codes.includes(told.code) && isNamed ? "right" : "no help";
}

describeLab(
  "threads of others, judged",
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

    /** The answer of the first read, or of a read so many minutes later. */
    async function tell({ domain, later }: Thread): Promise<Told> {
      const reads = claimReads(readerSettings(farm.lab.env), domain);
      try {
        let start = performance.now();
        let told = await reads.read();
        if (later > 0) {
          start = performance.now();
          told = await reads.read(later * 60_000);
        }
        const awaits = told.diagnosis?.awaits ?? null;
        return { ...told, awaits, took: performance.now() - start };
      } finally {
        reads.close();
      }
    }

    it("are judged as on the page", { timeout: 300_000 }, async () => {
      expect(new Set(THREADS.map(({ source }) => source)).size).toBe(60);
      const judged: Record<string, string[]> = { harm: [], wrong: [], "no help": [] };
      const waiting = THREADS.filter(({ id }) => isFull || !SLOW.includes(id));
      const work = async () => {
        for (let one = waiting.shift(); one; one = waiting.shift()) {
          const told = await tell(one);
          const judgement = judge(one, told);
          judged[judgement]?.push(one.id);
          const { code, awaits, took, words } = told;
          console.log(`${judgement}: ${one.id}, ${took.toFixed()} ms: ${code} ${awaits}: ${words}`);
        }
      };
      await Promise.all(Array.from({ length: READS_AT_ONCE }, work));
      const sorted = Object.entries(judged).map(([key, ids]) => [key, ids.sort().join(" ")]);
      expect(Object.fromEntries(sorted)).toEqual(NOT_RIGHT);
    });
  },
  FARM_PROGRAMS,
);
