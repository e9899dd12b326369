import { serverFor } from "@deed/dns/rdap/bootstrap.ts";
import { nameToAsk } from "@deed/dns/rdap/relevance.ts";
import type { RegistryAnswer } from "@deed/dns/rdap/sentences.ts";
import type { Decision } from "@deed/dns/verdict/diagnosis.ts";
import type { Evidence } from "@deed/dns/verdict/observation.ts";
import type { Context } from "#app/core/context.server.ts";
import { HOUR, SECOND } from "#app/core/time.ts";
import { askRegistry } from "#app/features/zones/registry/ask.server.ts";
import { toRegistry } from "#app/features/zones/registry/registrations.server.ts";
import type { Registry } from "#app/features/zones/resources.ts";
import type { Question } from "./question.ts";

/** How long a person waits for it. */
const PATIENCE_MS = 3 * SECOND;

/** What a reading asks of a registry: null if there is nothing to ask, or no answer. */
export type RegistryQuestions = (
  reading: { question: Question; evidence: Evidence; decision: Decision },
  signal: AbortSignal,
) => Promise<Registry | null>;

/** A function that asks the registry where a reading turns on the delegation: once an hour. `registry`: null to ask nothing. */
export function registryQuestions(
  registry: Context["registry"],
  userAgent: string,
): RegistryQuestions {
  let askedAt = Number.NEGATIVE_INFINITY;
  let last: RegistryAnswer | null = null;

  const ask = async (name: string, signal: AbortSignal): Promise<RegistryAnswer | null> => {
    const base = registry && serverFor(registry.list.current(), name);
    if (!base) return null;
    const late = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]);
    const asked = await askRegistry(registry.outbound, { base, name, userAgent }, late);
    if (asked.type === "failed") return null;
    const registration = asked.type === "registered" ? asked.registration : null;
    return { name, at: Date.now(), registration };
  };

  return async ({ question, evidence, decision }, signal) => {
    const diagnosis = decision.outcome === "absent" ? decision.diagnosis : null;
    if (!diagnosis) return null;
    const { delegation } = evidence;
    const zone = delegation.type === "delegated" ? delegation.zone : null;
    const name = nameToAsk({ name: question.domain, zone }, diagnosis);
    if (name === null) return null;
    if (Date.now() - askedAt >= HOUR) {
      askedAt = Date.now();
      last = await ask(name, signal);
    }
    return last && toRegistry(last, diagnosis);
  };
}
