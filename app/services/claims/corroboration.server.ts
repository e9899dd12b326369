import type { ChallengeQuestion } from "#app/dns/resolve/reader.ts";
import { isAnswer } from "#app/dns/verdict/corroborate.ts";
import { decide } from "#app/dns/verdict/decide.ts";
import type { History } from "#app/dns/verdict/diagnosis.ts";
import type { Vantages } from "#app/dns/verdict/observation.ts";
import type { Context, OtherVantages } from "../context.server.ts";
import { extendLease, type Lease } from "./leases.server.ts";
import { CORROBORATION_MS } from "./schedule.ts";

/**
 * Has a read that found the record repeated by another vantage: by one, and by the next only if that cannot read. Each
 * answer is judged as the read here was. Null if `signal` cut it off, or another run took the verification over.
 */
export async function askOthers(
  ctx: Context,
  { region, for: vantagesFor }: OtherVantages,
  lease: Lease,
  question: ChallengeQuestion,
  history: History,
  signal: AbortSignal,
): Promise<Vantages | null> {
  const others: Vantages["others"] = [];
  const asked = vantagesFor(question.domain);
  if (asked.length > 0 && !(await extendLease(ctx, lease))) return null;
  const inTime = AbortSignal.any([signal, AbortSignal.timeout(CORROBORATION_MS)]);
  for (const vantage of asked) {
    const evidence = inTime.aborted ? null : await vantage.read(question, inTime);
    const outcome = evidence
      ? decide({ ...evidence, chain: null }, history).outcome
      : ("unreachable" as const);
    const reading = { region: vantage.region, outcome, evidence };
    others.push(reading);
    if (isAnswer(reading)) break;
  }
  return signal.aborted ? null : { region, others };
}
