import type { Reader } from "@deed/dns/resolve/reader.ts";
import { decide, type Progress, progressOf } from "@deed/dns/verdict/decide.ts";
import type { Decision } from "@deed/dns/verdict/diagnosis.ts";
import { evidenceOf } from "@deed/dns/verdict/evidence.ts";
import { type History, UNREAD } from "@deed/dns/verdict/history.ts";
import type { Evidence } from "@deed/dns/verdict/observation.ts";
import type { Registry } from "#app/features/zones/resources.ts";
import { prefixOf, type Question, unusedToken } from "./question.ts";
import type { RegistryQuestions } from "./registry.ts";

/** One read: what was seen, escaped and bounded for display, and what it shows. */
export type Reading = {
  question: Question;
  evidence: Evidence;
  decision: Decision;
  /** From when a read that finds the same again is a proof, epoch milliseconds; null if nothing waits for that. */
  secondReadAt: number | null;
  /** What the registry said; null if it was not asked or did not answer. */
  registry: Registry | null;
};

/** What this command knows of the claim: only its own reads, for there is no database. */
const historyOf = (token: string, before: Progress | null): History => ({
  ...UNREAD,
  ...(before && {
    firstSerial: before.firstSerial,
    partialSince: before.partialSince,
    resolversDue: before.resolversDue,
    secondReadAt: before.secondReadAt,
    serials: before.serials,
  }),
  chance: Math.random(),
  endedTokens: [],
  domainOf: () => null,
  tokenPrefix: prefixOf(token),
});

/** A function that reads the challenge and judges it, remembering its own earlier reads. Rejects when `signal` aborts. */
export function readings(
  reader: Pick<Reader, "readChallenge">,
  question: Question,
  askRegistry: RegistryQuestions = async () => null,
) {
  const token = question.token ?? unusedToken();
  let progress: Progress | null = null;
  return async (signal: AbortSignal): Promise<Reading> => {
    const { domain, label } = question;
    const observation = await reader.readChallenge({ domain, label, token }, signal);
    const history = historyOf(token, progress);
    const decision = decide(observation, history);
    progress = progressOf(observation, history);
    const { secondReadAt } = progress;
    const reading = { question, evidence: evidenceOf(observation), decision, secondReadAt };
    return { ...reading, registry: await askRegistry(reading, signal) };
  };
}

/** Whether the name's zone was read: it is delegated, and one of its nameservers answers for it. */
const isZoneRead = ({ evidence }: Reading): boolean =>
  evidence.delegation.type === "delegated" &&
  evidence.servers.some(({ answer }) => answer !== null);

/** Exit code: 0 found, or without a token the zone was read; 1 not so; 3 DNS could not be read. */
export function exitCodeOf(reading: Reading): 0 | 1 | 3 {
  if (reading.decision.outcome === "unresolvable") return 3;
  if (reading.question.token === null) return isZoneRead(reading) ? 0 : 1;
  return reading.decision.outcome === "found" ? 0 : 1;
}
