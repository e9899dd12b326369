import { afterAll, afterEach, beforeEach, expect } from "vitest";
import { KeyClient } from "../support/key-client.ts";
import { SENTENCES, type SentenceId } from "./sentences.ts";

export const isByKey = process.env.DEED_BY === "key";

const section = (number: number, ...sentences: number[]) =>
  sentences.map((one): SentenceId => `C${number}.${one}`);

/** The sentences of this suite in which no call can be made by key, by the reason. */
export const WITHOUT_KEY: Record<string, SentenceId[]> = {
  "about sessions and signing in": [
    ...section(12, 1, 2, 3, 5, 6, 7, 8, 10, 11, 12, 14, 17, 19),
    ...section(14, 5),
    ...section(19, 4, 6),
  ],
  "for sessions only: the account and its keys": section(13, 1, 2),
  "about keys, sent by the test itself": [
    ...section(25, 8, 12),
    ...section(26, 18),
    ...section(32, 1, 3, 4, 6, 8),
  ],
  "for the public, which needs no key": [
    ...section(1, 8),
    ...section(17, 7, 15, 16),
    ...section(18, 2),
    ...section(19, 1, 9, 10),
    ...section(20, 1, 2, 3, 4),
    ...section(21, 1, 2, 7),
    ...section(22, 1),
    ...section(24, 3),
  ],
  "about a table, tried without a call": [
    ...section(17, 1, 3, 4, 5, 8, 9, 12, 13, 17),
    ...section(22, 2, 4),
    ...section(25, 13),
  ],
};

/** Tried by key in one file, and without in another. */
const ALSO_WITHOUT: SentenceId[] = ["C17.2", "C23.2", "C26.15"];

/** With DEED_BY=key: checks that every sentence of a file that a key can tell of was tried with one. */
export function checkCallsByKey(): void {
  if (!isByKey) return;
  const calls = new Map<string, number>();
  let before = 0;
  beforeEach(() => {
    before = KeyClient.calls;
  });
  afterEach(({ task }) => {
    const names = `${task.suite?.name ?? ""} / ${task.name}`;
    for (const { id } of SENTENCES)
      if (names.includes(`${id}: `)) calls.set(id, (calls.get(id) ?? 0) + KeyClient.calls - before);
  });
  afterAll(() => {
    const known = new Set<string>(Object.values(WITHOUT_KEY).flat());
    const both = new Set<string>(ALSO_WITHOUT);
    const without = [...calls].filter(([, count]) => count === 0).map(([id]) => id);
    console.log(`${calls.size - without.length} sentences by key, ${without.length} without`);
    const wrong = [...calls.keys()].filter(
      (id) => !both.has(id) && known.has(id) !== without.includes(id),
    );
    expect(wrong, "sentences that were by key and should not, or the other way round").toEqual([]);
  });
}
