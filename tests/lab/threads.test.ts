import { explain } from "@deed/dns/library/explain.ts";
import { createReader } from "@deed/dns/resolve/create-reader.ts";
import { decide, progressOf } from "@deed/dns/testing/verdicts.ts";
import { evidenceOf } from "@deed/dns/verdict/evidence.ts";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readerSettings } from "../support/reader-settings.ts";
import { isFull } from "../support/size.ts";
import { NO_HISTORY } from "./case.ts";
import { describeLab } from "./lab.ts";
import { FARM_PROGRAMS, startFarm } from "./scenarios/farm.ts";
import { LABEL, TOKEN } from "./scenarios/scenario.ts";
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
      let ahead = 0;
      const settings = { ...readerSettings(farm.lab.env), clock: () => Date.now() + ahead };
      const reader = createReader(settings);
      const question = { domain, label: LABEL, token: TOKEN };
      const read = async (before = NO_HISTORY) => {
        const start = performance.now();
        const seen = await reader.readChallenge(question, AbortSignal.timeout(60_000));
        const took = performance.now() - start;
        const decision = decide(seen, before);
        const progress = progressOf(seen, before);
        const { cause, fix } = explain({ seen: evidenceOf(seen), decision, progress });
        const { diagnosis = null, wait = null } = decision.outcome === "absent" ? decision : {};
        const code = diagnosis?.code ?? wait?.reason ?? decision.outcome;
        const told = { code, awaits: diagnosis?.awaits ?? null, took };
        return {
          ...told,
          words: cause ? `${cause} ${fix}` : "",
          history: { ...before, ...progress },
        };
      };
      try {
        const first = await read();
        ahead = later * 60_000;
        return later > 0 ? await read(first.history) : first;
      } finally {
        reader.close();
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
