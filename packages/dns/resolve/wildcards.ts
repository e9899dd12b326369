import { randomInt } from "node:crypto";
import { isBelow, parentOf, under } from "../names.ts";
import type { Message, Question, QuestionType } from "../wire/message.ts";

export type Ask = (question: Question) => Promise<Message | null>;

/** The most ancestors to ask about. Few records are deeper below their zone. */
const MAX_CLIMB = 8;

const ALPHABET = "abcdefghijklmnopqrstuvwxyz";

/** A random name. If it has records, they come from a wildcard. Null if it cannot be queried. */
export function randomSibling(name: string): string | null {
  const letters = Array.from({ length: 15 }, () => ALPHABET[randomInt(ALPHABET.length)]);
  return under(`_${letters.join("")}`, parentOf(name));
}

export function dataAt(message: Message | null, name: string, type: QuestionType): string[] {
  return (message?.answers ?? []).flatMap((record) => {
    if (record.name !== name || (record.type !== type && record.type !== "CNAME")) return [];
    if ("target" in record) return [`${record.type} ${record.target}`];
    if ("value" in record) return [record.value];
    return "address" in record ? [record.address] : [];
  });
}

/**
 * If two wildcards have the same records, picks the domain's own. Nothing is below an asterisk that exists; below one
 * that does not exist, the wildcard above answers (RFC 4592 section 2.2.2).
 */
export async function closestWildcard(ask: Ask, domain: string, wildcard: string | false | null) {
  if (!wildcard || !isBelow(domain, parentOf(wildcard))) return wildcard;
  const rcodes = await Promise.all(
    [domain, randomSibling(domain)].map(async (base) => {
      const name = base && under("x.*", base);
      return name && (await ask({ name, type: "A" }))?.rcode;
    }),
  );
  return rcodes.join() === "NXDOMAIN,NOERROR" ? `*.${domain}` : wildcard;
}

/** "*.acme.com" if random siblings have the data too (RFC 4592, 3.3.1); false if only `name` does; null if unknown. */
export async function wildcardOf(ask: Ask, zone: string, question: Question, data: string[]) {
  const { name, type } = question;
  let ancestor = name;
  for (let step = 0; step <= MAX_CLIMB; step += 1) {
    const sibling = randomSibling(ancestor);
    const message = sibling && (await ask({ name: sibling, type }));
    if (!message) return null;
    const hasSameData = dataAt(message, sibling, type).some((value) => data.includes(value));
    if (!hasSameData) return ancestor === name ? false : `*.${ancestor}`;
    ancestor = parentOf(ancestor);
    if (!isBelow(ancestor, zone)) return `*.${ancestor}`;
  }
  return null;
}
