import { type HttpsResolver, httpsReader } from "../resolve/https-reader.ts";
import { type Check, checkRecord } from "./check.ts";
import { queryOf, type RecordQuestion } from "./check-question.ts";
import { InvalidInput, refuseUnknown } from "./invalid-input.ts";

export { type Check, type LastSeen, lastSeen } from "./check.ts";
export { InvalidInput };

/** `before` is the last check of the same record, from which waits and a second read are counted. */
export type CheckQuestion = RecordQuestion & { before?: Check | undefined };
export type ResolverOptions = {
  signal?: AbortSignal | undefined;
  resolvers?: readonly HttpsResolver[] | undefined;
};

/** Checks a record by asking only resolvers over HTTPS. It needs `fetch` but no socket. Its `assurance` is lower. */
export async function check(question: CheckQuestion, options: ResolverOptions = {}) {
  refuseUnknown(options, ["signal", "resolvers"]);
  const { before, ...record } = question;
  const { signal = new AbortController().signal, resolvers } = options;
  if (resolvers?.length === 0) throw new InvalidInput("options", "There is no resolver to ask.");
  return checkRecord(queryOf(record), { reader: httpsReader(resolvers), signal, before });
}
