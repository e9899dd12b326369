import type { Report } from "@deed/receipt/report.ts";
import {
  ABOUT_ITS_MOMENT,
  factsOf,
  headlineOf,
  PART_NAMES,
  STATES,
  sentenceOf,
} from "@deed/receipt/sentences.ts";

const TONES = { good: "proved", weaker: "waiting", bad: "needs" } as const;

export function viewOf(report: Report) {
  return {
    tone: TONES[report.verdict],
    headline: headlineOf(report),
    remark: ABOUT_ITS_MOMENT,
    facts: report.statement ? factsOf(report.statement) : [],
    parts: report.parts.map((part) => ({
      name: PART_NAMES[part.part],
      state: STATES[part.state],
      text: sentenceOf(part),
    })),
  };
}
