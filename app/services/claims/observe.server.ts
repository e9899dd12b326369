import { AddressFull, type ChallengeQuestion } from "#app/dns/resolve/reader.ts";
import type { Observation } from "#app/dns/verdict/observation.ts";
import type { Context } from "../context.server.ts";
import { READ_TIMEOUT_MS } from "./schedule.ts";

/**
 * Reads a challenge; null if the read failed, timed out or was cut off, whatever the reason, and AddressFull if it has
 * to be made again. `about` goes into the log with a failure.
 */
export async function observe(
  ctx: Context,
  question: ChallengeQuestion,
  about: object,
  signal: AbortSignal,
): Promise<Observation | AddressFull | null> {
  const overrun = new AbortController();
  const abort = () => overrun.abort();
  const timer = setTimeout(abort, READ_TIMEOUT_MS);
  signal.addEventListener("abort", abort, { once: true });
  try {
    return await ctx.reader.readChallenge(question, overrun.signal);
  } catch (error) {
    if (error instanceof AddressFull) return error;
    if (!signal.aborted) ctx.log.error({ err: error, ...about }, "DNS read failed");
    return null;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", abort);
  }
}
