import type { Report } from "@deed/receipt/report.ts";
import { headlineOf, sentenceOf } from "@deed/receipt/sentences.ts";
import { type Markup, TONES } from "../../receipts/view/view.ts";

/** What a proof's page says; its receipt must say the same. */
export type ShownProof = { url: string; domain: string; provedAt: string };

/** The verdict on a proof, by its site's keys. `by`: who checked it. */
export function verdictOf(report: Report, { url, domain, provedAt }: ShownProof, by: string) {
  const { verdict, assurance, parts, statement } = report;
  const stamp = parts.find(({ code }) => code === "stamped" || code === "later");
  const drawn = (tone: Report["verdict"], sentence: string): Markup => [
    "div",
    `panel ${TONES[tone]}`,
    ["p", "label", sentence],
    ...(stamp ? [["p", "", sentenceOf(stamp)] as const] : []),
    ["p", "hint", by],
  ];
  const wrong = parts.find(({ state }) => state === "wrong");
  if (wrong)
    return drawn("bad", `This proof is not genuine: do not rely on it. ${sentenceOf(wrong)}`);
  if (statement?.sub !== domain || statement.provedAt !== provedAt)
    return drawn("bad", "This proof is not genuine: its receipt is for another domain or moment.");
  if (verdict !== "good") return drawn(verdict, headlineOf(report));
  const signed = `This proof is genuine: ${new URL(url).host} signed it, `;
  return assurance === "dnssec"
    ? drawn(
        "good",
        `${signed}the proof was not altered since, and ${domain}’s own signatures show the record.`,
      )
    : drawn("good", `${signed}and it was not altered since.`);
}
