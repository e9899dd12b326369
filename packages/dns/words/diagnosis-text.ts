import type { DiagnosisCode, DiagnosisOf, ObservedByCode } from "../verdict/diagnosis.ts";
import type { RecordLocation } from "./providers.ts";
import type { Advice } from "./wording.ts";

export type DiagnosisText<C extends DiagnosisCode> = {
  /** The heading: at most eight words, without a full stop. */
  title: string;
  /** What the code and its facts mean, for programs. */
  meaning: string;
  example: Omit<DiagnosisOf<C>, "code">;
  happened: string;
  steps: string[];
  dig(names: DigNames): DigLesson[];
  /** More exact titles, each with its test. The first that holds counts. */
  closer?: Record<string, (observed: ObservedByCode[C]) => unknown>;
  explain(diagnosis: DiagnosisOf<C>, place: RecordLocation): Advice;
};
export type DiagnosisTexts<C extends DiagnosisCode> = { [K in C]: DiagnosisText<K> };

export const EXAMPLE_LOCATION: RecordLocation = {
  label: "_service-challenge",
  domain: "acme.com",
  zone: "acme.com",
  token: "service_v1_9f3a61c0d27be584f01c2a6b7d8e9f0013243546",
  provider: "other",
};

export const OTHER_TOKEN = "service_v1_00112233445566778899aabbccddeeff00112233";

export const BELOW_WILDCARD =
  "A subdomain that only a wildcard answers for stops working when a record is added below it. Give it records of its own first.";
export const CHECKED = "Press Check now on your claim’s page, or wait: Deed checks automatically.";

type DigServer = "nameserver" | "otherNameserver" | "resolver";
export type DigNames = Record<
  "label" | "domain" | "name" | "zone" | "token" | "otherToken" | DigServer,
  string
>;

export type DigLesson = {
  ask: string;
  /** The lines of its output: all with +short, otherwise those that matter. Empty if dig prints nothing. */
  answer: string[];
  means: string;
};

export const txt = (ask: string, values: string[], means: string): DigLesson => ({
  ask: `+short TXT ${ask}`,
  answer: values.map((value) => JSON.stringify(value)),
  means,
});

export const digHeader = (status: string) =>
  `;; ->>HEADER<<- opcode: QUERY, status: ${status}, id: 4711`;

export const status = (ask: string, rcode: string, means: string): DigLesson => ({
  ask: `+noall +comments TXT ${ask}`,
  answer: [digHeader(rcode)],
  means,
});
