import { setTimeout as sleep } from "node:timers/promises";
import type { Cluster } from "./cluster.ts";
import type { Machine } from "./machine.ts";
import { type Visitor, visit } from "./visitor.ts";

/** The outcome of a series of writes. */
export type Ledger = {
  acknowledged: Set<string>;
  /** 503, or no answer: may or may not have been applied. */
  open: Set<string>;
  /** Responses that must not occur here. */
  wrong: string[];
  /** Epoch milliseconds of the latest acknowledgement. */
  lastAt: number;
};

let series = 0;

/**
 * Adds domains through the machines `next` returns, `width` at a time, until `stop` is called. Names are used only
 * once, so the database shows which writes were applied.
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

/** The acknowledged writes that a copy of the database lacks. */
export const lostIn = (names: Set<string>, ledger: Ledger): string[] =>
  [...ledger.acknowledged].filter((name) => !names.has(name));
