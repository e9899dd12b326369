import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import type { Client } from "./deed.ts";
import { namesIn, violations } from "./facts.ts";

/** Continuous writes, and their results. */
export type Writing = {
  client: Client;
  acknowledged: Set<string>;
  refused: number[];
  begun: number;
  stop(): Promise<void>;
};

let series = 0;

/** Adds domains until stopped. Each name is used once, so that a database shows which writes were applied. */
export function startWriting(client: Client, width = 3): Writing {
  const run = `s${process.pid}x${++series}`;
  let isOver = false;
  const writing: Writing = {
    client,
    acknowledged: new Set(),
    refused: [],
    begun: 0,
    stop: async () => {
      isOver = true;
      await lanes;
    },
  };
  const lane = async () => {
    while (!isOver) {
      const domain = `${run}-${writing.begun++}.example.com`;
      const answer = await client.post("/api/domains", { domain }).catch(() => null);
      if (answer?.status === 201) writing.acknowledged.add(domain);
      else {
        if (answer) writing.refused.push(answer.status);
        await sleep(20);
      }
    }
  };
  const lanes = Promise.all(Array.from({ length: width }, lane));
  return writing;
}

export async function acknowledgedMore({ acknowledged }: Writing, more: number): Promise<void> {
  const enough = acknowledged.size + more;
  const giveUpAt = Date.now() + 60_000;
  while (acknowledged.size < enough) {
    if (Date.now() > giveUpAt) throw new Error("writes are not acknowledged");
    await sleep(10);
  }
}

export function lostIn(path: string, acknowledged: Iterable<string>): string[] {
  const names = namesIn(path);
  return [...acknowledged].filter((name) => !names.has(name));
}

export function expectWhole(path: string, acknowledged: Iterable<string> = []): void {
  expect(lostIn(path, acknowledged)).toEqual([]);
  expect(violations(path)).toEqual([]);
}
