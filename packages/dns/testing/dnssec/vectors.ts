import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseAnchor } from "../../dnssec/anchors.ts";
import { type Question, validate } from "../../dnssec/validate.ts";

/** knotd's responses for a zone signed by BIND or Knot, and other validators' verdicts. Made by make-vectors.ts. */
export type Vector = {
  zone: string;
  name: string;
  value: string;
  expected: string;
  differs?: string;
  delv: string;
  unbound: string;
  ldns: string;
  messages: string[];
};

const FILE = join(import.meta.dirname, "vectors.json");
export const VECTORS = JSON.parse(readFileSync(FILE, "utf8")) as {
  at: number;
  anchors: string[];
  messages: Record<string, string>;
  cases: Vector[];
};
export const ANCHORS = VECTORS.anchors.flatMap((line) => parseAnchor(line) ?? []);

export const messagesOf = ({ messages }: Vector): Uint8Array[] =>
  messages.map((id) => Uint8Array.from(Buffer.from(VECTORS.messages[id] ?? "", "base64")));

export const questionOf = ({ name, value }: Vector): Question => ({
  name,
  value,
  at: VECTORS.at,
  anchors: ANCHORS,
});

export function vector(zone: string): Vector {
  const found = VECTORS.cases.find((one) => one.zone === zone);
  if (!found) throw new Error(`no vector ${zone}`);
  return found;
}

/** The chain from the responses of a case. */
export async function chainOf(zone: string): Promise<{ chain: Uint8Array; question: Question }> {
  const question = questionOf(vector(zone));
  const { chain } = await validate(messagesOf(vector(zone)), question);
  return { chain, question };
}
