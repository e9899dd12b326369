import { setTimeout as sleep } from "node:timers/promises";
import type { Cluster } from "./cluster.ts";
import type { Machine } from "./machine.ts";
import { type Visitor, visit } from "./visitor.ts";

/** What became of the writes of one stretch of writing. */
export type Ledger = {
  acknowledged: Set<string>;
  /** 503, or no answer: allowed to stand or not. */
  open: Set<string>;
  /** Answers that nobody may give here. */
  wrong: string[];
  /** Epoch milliseconds of the newest acknowledgement. */
  lastAt: number;
};

let series = 0;

/**
 * Adds domains through the machines `next` names, `width` at a time, until `stop` is called.
 * Names are never used twice, so what stands in the database tells which writes were applied.
 */
export async function startWriting(
  cluster: Cluster,
  next: () => Machine,
  { width = 3, visitor }: { width?: number; visitor?: Visitor } = {},
): Promise<{ ledger: Ledger; visitor: Visitor; stop: () => Promise<Ledger> }> {
  const run = `s${++series}`;
  const who = visitor ?? (await visit(cluster, `${run}@holder.example`, next));
  const ledger: Ledger = { acknowledged: new Set(), open: new Set(), wrong: [], lastAt: 0 };
  let isOver = false;
  let count = 0;

  const lane = async () => {
    while (!isOver) {
      const name = `${run}-${count++}.example.com`;
      ledger.open.add(name);
      const reply = await who.send("POST", "/api/domains", { domain: name }).catch(() => null);
      if (reply?.status === 201) {
        ledger.open.delete(name);
        ledger.acknowledged.add(name);
        ledger.lastAt = Date.now();
      } else {
        if (reply && reply.status !== 503) ledger.wrong.push(`${name}: ${reply.status}`);
        await sleep(20);
      }
    }
  };
  const lanes = Promise.all(Array.from({ length: width }, lane));
  return {
    ledger,
    visitor: who,
    stop: async () => {
      isOver = true;
      await lanes;
      return ledger;
    },
  };
}

/** Which of the acknowledged writes a copy of the database lacks. */
export const lostIn = (names: Set<string>, ledger: Ledger): string[] =>
  [...ledger.acknowledged].filter((name) => !names.has(name));
