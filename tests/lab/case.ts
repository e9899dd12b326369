import { explain } from "@deed/dns/library/explain.ts";
import { createReader } from "@deed/dns/resolve/create-reader.ts";
import type { ReaderSettings } from "@deed/dns/resolve/reader.ts";
import { HISTORY } from "@deed/dns/testing/observations.ts";
import { decide, progressOf } from "@deed/dns/testing/verdicts.ts";
import { evidenceOf } from "@deed/dns/verdict/evidence.ts";
import type { History } from "@deed/dns/verdict/history.ts";
import type { Observation } from "@deed/dns/verdict/observation.ts";
import { type LabZone, NS1, NS2 } from "./zones.ts";

export const LABEL = "_service-challenge";
export const TOKEN = "service_v1_7d0f3b9ae41c58206fd2b7c3910e84a5d6f12c3b";
export const FOREIGN = `service_v1_${"c3".repeat(20)}`;

export const both = (...records: string[]): LabZone["on"] => ({ ns1: records, ns2: records });
export const zone = (name: string, on: LabZone["on"], rest: Partial<LabZone> = {}): LabZone => ({
  name,
  delegatedTo: [NS1, NS2],
  on,
  ...rest,
});
export const record = (value: string, host = LABEL) => `${host} TXT "${value}"`;

/** TXT records of about 200 octets each. */
export function longRecords(length: number): string[] {
  return Array.from({ length }, (_, index) => record(`${index}${"x".repeat(200)}`));
}

/** The reads of a claim, each of which knows what the one before left. */
export function claimReads(settings: ReaderSettings, domain: string, known: Partial<History> = {}) {
  let ahead = 0;
  let history: History = { ...HISTORY, ...known };
  let delegation: Observation["known"] = null;
  const reader = createReader({ ...settings, clock: () => Date.now() + ahead });
  const question = { domain, label: LABEL, token: TOKEN };
  return {
    close: () => reader.close(),
    /** Reads so many milliseconds after the last read, or first. */
    read: async (laterMs = 0) => {
      ahead += laterMs;
      const asked = { ...question, known: delegation };
      const seen = await reader.readChallenge(asked, AbortSignal.timeout(60_000));
      delegation = seen.known;
      const decision = decide(seen, history);
      const progress = progressOf(seen, history);
      history = { ...history, ...progress };
      const { cause, fix } = explain({ seen: evidenceOf(seen), decision, progress });
      const { diagnosis = null, wait = null } = decision.outcome === "absent" ? decision : {};
      const code = diagnosis?.code ?? wait?.reason ?? decision.outcome;
      return { seen, decision, code, diagnosis, words: cause ? `${cause} ${fix}` : "" };
    },
  };
}
