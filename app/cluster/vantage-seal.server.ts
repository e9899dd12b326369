import { isSealed, sealOf } from "./seal.server.ts";

/** Under this header a question and its answer carry what shows that a node of this cluster wrote them. */
export const SEAL_HEADER = "x-deed-vantage";
/** Maximum clock skew between nodes. */
const TOLERANCE_MS = 5 * 60_000;

/** The seal of a question: the time, and a MAC over it and the body, which has a nonce. */
export const sealQuestion = (secret: string, body: string, now: number): string =>
  `${now};${sealOf(secret, "vantage", "question", String(now), body)}`;

export function isQuestionSealed(
  secret: string,
  body: string,
  seal: unknown,
  now: number,
): boolean {
  const [, at = "", mac = ""] = /^(\d{1,15});([0-9a-f]{64})$/.exec(String(seal)) ?? [];
  const isIn = Math.abs(now - Number(at)) <= TOLERANCE_MS;
  return at !== "" && isIn && isSealed(secret, mac, "vantage", "question", at, body);
}

/** The seal of an answer, which binds it to the question, and so to its nonce. */
export const sealAnswer = (secret: string, question: string, body: string): string =>
  sealOf(secret, "vantage", "answer", String(question.length), question, body);

export const isAnswerSealed = (
  secret: string,
  question: string,
  body: string,
  seal: unknown,
): boolean => isSealed(secret, seal, "vantage", "answer", String(question.length), question, body);
