import type { History } from "@deed/dns/verdict/history.ts";
import type { Lab } from "./lab.ts";
import { type LabZone, NS1, NS2 } from "./zones.ts";

export const LABEL = "_service-challenge";
export const TOKEN = `service_v1_${"a1".repeat(20)}`;
export const ENDED = `service_v1_${"b2".repeat(20)}`;
export const FOREIGN = `service_v1_${"c3".repeat(20)}`;

/** A zone set up on knotd and read through unbound, with the expected result. */
export type Case = {
  title: string;
  zone: LabZone;
  /** Further zones the case needs. */
  others?: LabZone[];
  /** The name claimed; the zone's by default. */
  domain?: string;
  history?: Partial<History>;
  before?: (lab: Lab) => Promise<void>;
  /** The expected part of the decision. */
  decision: object;
  /** The expected part of the observation. */
  observation?: object;
};

export const both = (...records: string[]): LabZone["on"] => ({ ns1: records, ns2: records });
export const zone = (name: string, on: LabZone["on"], rest: Partial<LabZone> = {}): LabZone => ({
  name,
  delegatedTo: [NS1, NS2],
  on,
  ...rest,
});

export const found = { outcome: "found" };
export const diagnosis = (code: string, observed: object, awaits = "claimant") => ({
  outcome: "absent",
  diagnosis: { code, awaits, observed },
  wait: null,
});
export const answered = (host: string) => ({ host, result: "answered" });
export const seenBy = (...ad: boolean[]) => ad.map((flag) => ({ result: "answered", ad: flag }));
export const absent = (answer: object, nearMiss: object | null = null) =>
  diagnosis("record_absent", { answer, nearMiss });
export const record = (value: string, host = LABEL) => `${host} TXT "${value}"`;

/** TXT records of about 200 octets each. */
export function longRecords(length: number): string[] {
  return Array.from({ length }, (_, index) => record(`${index}${"x".repeat(200)}`));
}
