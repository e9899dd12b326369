import { randomInt } from "node:crypto";
import { isBelow, parentOf, under } from "../names.ts";
import type { Message, Question, QuestionType } from "../wire/message.ts";
import type { Read } from "./read.ts";
import type { Cut } from "./reader.ts";
import { askZone } from "./walk.ts";

/** Asks the zone's servers; null without an authoritative answer. */
export type Ask = (question: Question) => Promise<Message | null>;

/** Asks the servers of a zone one after the other. */
export const askerOf =
  (read: Read, cut: Cut): Ask =>
  async (question) => {
    const answer = await askZone(read, cut, question);
    return answer?.classification.type === "authoritative" ? answer.message : null;
  };

/** Limit on the ancestors asked; few records are deeper below their zone. */
const MAX_CLIMB = 8;

const ALPHABET = "abcdefghijklmnopqrstuvwxyz";

/** A sibling of `name` that does not exist; if it has records, a wildcard matches it. Null if it cannot be queried. */
export function randomSibling(name: string): string | null {
  const letters = Array.from({ length: 15 }, () => ALPHABET[randomInt(ALPHABET.length)]);
  return under(`_${letters.join("")}`, parentOf(name));
}

/** The records of a type at `name` as text: their data, or the CNAME in their place. */
export function dataAt(message: Message | null, name: string, type: QuestionType): string[] {
  return (message?.answers ?? []).flatMap((record) => {
    if (record.name !== name || (record.type !== type && record.type !== "CNAME")) return [];
    if ("target" in record) return [`${record.type} ${record.target}`];
    if ("value" in record) return [record.value];
    return "address" in record ? [record.address] : [];
  });
}

/**
 * Name of the wildcard, such as "*.acme.com", that synthesises the answer: random siblings get the same one up to the
 * closest encloser (RFC 4592 section 3.3.1). False if the records exist at `name` itself; null without enough answers.
 */
export async function wildcardOf(
  ask: Ask,
  zone: string,
  name: string,
  type: QuestionType,
  data: readonly string[],
): Promise<string | false | null> {
  let above = name;
  for (let step = 0; step <= MAX_CLIMB; step += 1) {
    const sibling = randomSibling(above);
    const message = sibling && (await ask({ name: sibling, type }));
    if (!message) return null;
    const isSame = dataAt(message, sibling, type).some((one) => data.includes(one));
    if (!isSame) return above === name ? false : `*.${above}`;
    above = parentOf(above);
    if (!isBelow(above, zone)) return `*.${above}`;
  }
  return null;
}
