import type { Report } from "@deed/receipt/report.ts";
import {
  ABOUT_ITS_MOMENT,
  factsOf,
  headlineOf,
  PART_NAMES,
  STATES,
  sentenceOf,
} from "@deed/receipt/sentences.ts";

export const TONES = { good: "proved", weaker: "waiting", bad: "needs" } as const;

/** An element: its tag, its class, and what is in it. */
export type Drawn = readonly [tag: string, className: string, ...content: (string | Drawn)[]];

const facts = (rows: readonly (readonly [string, string])[]): Drawn => [
  "dl",
  "facts",
  ...rows.map(([name, value]): Drawn => ["div", "", ["dt", "", name], ["dd", "", value]]),
];

/** A report as the page draws it, by the server and by script. */
export function viewOf(report: Report): Drawn[] {
  const headline: Drawn = ["p", "label", headlineOf(report)];
  const stateOf = (part: Report["parts"][number]) => `${STATES[part.state]}: ${sentenceOf(part)}`;
  return [
    ["div", `panel ${TONES[report.verdict]}`, headline, ["p", "", ABOUT_ITS_MOMENT]],
    facts(report.statement ? factsOf(report.statement) : []),
    facts(report.parts.map((part) => [PART_NAMES[part.part], stateOf(part)])),
  ];
}
