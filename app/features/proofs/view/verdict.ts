import type { Report } from "@deed/receipt/report.ts";
import { headlineOf, sentenceOf } from "@deed/receipt/sentences.ts";
import { type Markup, TONES } from "../../receipts/view/view.ts";

/** "23:05 UTC", of an instant in the API's format. */
export const minuteText = (at: string) => `${at.slice(11, 16)} UTC`;

/** What a proof's page says; its receipt must say the same. */
export type ShownProof = { url: string; domain: string; provedAt: string };

function judge(report: Report, { url, domain, provedAt }: ShownProof): [Report["verdict"], string] {
  const { verdict, assurance, parts, statement } = report;
  const wrong = parts.find(({ state }) => state === "wrong");
  // A proof by a stolen key may still be genuine.
  const fault = wrong?.code === "compromised" ? "confirmed" : "genuine";
  if (wrong) return ["bad", `This proof is not ${fault}: do not rely on it. ${sentenceOf(wrong)}`];
  if (statement?.sub !== domain || statement.provedAt !== provedAt)
    return ["bad", "This proof is not genuine: its receipt is for another domain or moment."];
  if (verdict !== "good") return [verdict, headlineOf(report)];
  const more =
    assurance === "dnssec"
      ? `the proof has not been altered since, and ${domain}’s own signatures show the record.`
      : "and it has not been altered since.";
  return ["good", `This proof is genuine: ${new URL(url).host} signed it, ${more}`];
}

const NEXT = "Ask the holder to prove the domain again, and to send you the new link.";

/** Returns the verdict on a proof by its site's keys, as a state, and drawn with its sentence. `by` says who checked it. */
export function verdictOf(report: Report, proof: ShownProof, by: string) {
  const [verdict, says] = judge(report, proof);
  const stamp = report.parts.find(({ code }) => code === "stamped" || code === "later");
  const tone = TONES[verdict];
  const drawn: Markup = [
    "div",
    `panel ${tone} after`,
    // The page says “Not confirmed” beside the sentence.
    ["p", "label", says.replace(/^Not confirmed: (.)/, (_, first) => first.toUpperCase())],
    ...(verdict === "good" ? [] : [["p", "", NEXT] as const]),
    ...(stamp ? [["p", "", sentenceOf(stamp)] as const] : []),
    ["p", "hint", by],
  ];
  return { tone, word: says.replace(/[:,].*/, ""), drawn };
}
