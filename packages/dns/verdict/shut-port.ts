import type { Judgement } from "../dnssec/verdict.ts";
import { isRegistry } from "../names.ts";
import { diagnoseAbsence } from "./absence.ts";
import type { Diagnosis } from "./diagnosis.ts";
import type { History } from "./history.ts";
import { lameDelegation } from "./lame-delegation.ts";
import type { Observation } from "./observation.ts";
import { hasToken } from "./publication-status.ts";

/** This file has the rule deed-dnssec/1: what counts when nothing answers on port 53. */

/** Whether no question on port 53 got an answer, even over TCP. A reset is no answer, since firewalls send resets. */
export function isPortShut({ delegation, exchanges }: Observation) {
  const onPort53 = exchanges.filter(({ transport }) => transport === "udp" || transport === "tcp");
  const isLost = (result: string) => result === "timeout" || result === "tcp_refused";
  return (
    delegation.type === "unreachable" &&
    onPort53.some(({ transport }) => transport === "tcp") &&
    onPort53.every(({ result }) => isLost(result))
  );
}

/** Whether everything above the record is secure, and the record is missing or has other values. */
export const isOnlyRecordMissing = (judgement: Judgement): boolean =>
  (judgement.verdict === "indeterminate" &&
    judgement.reason.type === "not_read" &&
    judgement.reason.records === "TXT") ||
  (judgement.verdict === "bogus" && judgement.reason.type === "value_absent");

/** Signatures prove themselves, so one resolver is enough; without signatures it can neither prove nor show a fault. */
export function httpsVerdict(observation: Observation): "proves" | "disproved" | "unread" {
  const { validation, witnesses, token } = observation;
  if (!isPortShut(observation) || !validation) return "unread";
  if (validation.verdict === "secure") return "proves";
  const answer = witnesses?.[0]?.answer;
  const isMissing = answer && isOnlyRecordMissing(validation) && !hasToken(answer, token);
  return isMissing ? "disproved" : "unread";
}

export function diagnoseOverHttps(observation: Observation, history: History): Diagnosis | null {
  const answer = observation.witnesses?.[0]?.answer;
  if (!answer) return null;
  return answer.soa && isRegistry(answer.soa.zone, observation.domain)
    ? lameDelegation(observation, [])
    : diagnoseAbsence(observation, history, [answer], []);
}

/** When the next read can learn something new, epoch milliseconds; null if any read can. */
export function earliestAsk({ shut }: Pick<Observation, "shut">): number | null {
  const endTimes = shut?.held.map(({ until }) => until) ?? [];
  return endTimes.length > 0 ? Math.min(...endTimes) : null;
}
