import { PART_NAMES, type Report } from "@deed/receipt/report.ts";
import {
  ABOUT_ITS_MOMENT,
  factsOf,
  headlineOf,
  STATE_WORDS,
  sentenceOf,
} from "@deed/receipt/sentences.ts";

export const TONES = { good: "proved", weaker: "waiting", bad: "needs" } as const;

/** An element: its tag, its class (or the address of a link, which is the primary action), and its contents. */
export type Markup = readonly [tag: string, className: string, ...content: (string | Markup)[]];

const withThumbprints = (text: string) =>
  text
    .split(/(?<![\w-])([\w-]{43})(?![\w-])/)
    .map((part, at) => (at % 2 ? (["code", "", part] as const) : part));

const facts = (rows: readonly (readonly [string, string])[]): Markup => [
  "dl",
  "facts",
  ...rows.map(
    ([name, value]): Markup => ["div", "", ["dt", "", name], ["dd", "", ...withThumbprints(value)]],
  ),
];

/** Offers to compare with this site's keys, if no key was given, and the receipt names this site and is not bad. */
export const offerSiteKeys = ({ verdict, parts, statement }: Report, site: string) =>
  verdict !== "bad" && statement?.iss === site && parts.some(({ code }) => code === "not_given")
    ? `Compare with the keys of ${new URL(site).host}`
    : null;

const isOfExpectedKey = (parts: Report["parts"]) =>
  parts.some(({ part, state }) => part === "key" && state === "shown");

/** Finds the proof's link, an unsigned part of downloaded receipts; null unless an expected key signed. */
export function linkIn(file: Uint8Array, { verdict, parts, statement }: Report): string | null {
  if (verdict === "bad" || !isOfExpectedKey(parts) || !/^https?:\/\//.test(statement?.iss ?? ""))
    return null;
  const start = `${statement?.iss}/p/`;
  const [, rest = ""] = new TextDecoder().decode(file).split(start);
  const slug = /^\w{1,64}/.exec(rest)?.[0];
  return slug ? start + slug : null;
}

/** `offer` is the next comparison to offer, by a button here or by the form below. */
type ViewOptions = { offer?: string | null; isForm?: boolean; link?: string | null };

const ASK_AGAIN = "Ask the person who sent it for the original file, or for the proof’s link.";
const STRONGER =
  "A receipt in which the domain’s own signatures (DNSSEC) show the holder’s record would be stronger: it does not depend on any site.";

/** Says below the verdict what is wrong, or what the receipt proves, on whose word, and what would be stronger. */
function explained({ verdict, parts, statement }: Report): string[] {
  const wrong = parts.find(({ state }) => state === "wrong");
  if (verdict === "bad" || !statement) return [wrong ? sentenceOf(wrong) : "", ASK_AGAIN];
  const [[, domain] = [], [, moment] = [], [, holder] = []] = factsOf(statement);
  const proves = `proves that ${holder} controlled ${domain} on ${moment}, not that they still do.`;
  const site = statement.iss.replace(/^https?:\/\//, "");
  if (verdict === "good") return [`It ${proves}`];
  if (!isOfExpectedKey(parts)) return [ABOUT_ITS_MOMENT];
  const gap = parts.find(({ code }) => code === "no_anchor" || code === "algorithm");
  return [`If you trust ${site}, it ${proves}`, gap ? sentenceOf(gap) : STRONGER];
}

/** Draws a report, on the server or by script: the verdict, its subject, and the rest folded. */
export function viewOf(report: Report, { offer, isForm, link }: ViewOptions = {}): Markup[] {
  const { verdict, parts, statement } = report;
  const words =
    offer && statement
      ? `Nothing in it was changed. Compare its key to see whether ${new URL(statement.iss).host} signed it.`
      : headlineOf(report);
  const statementFacts = statement ? factsOf(statement) : [];
  const isBad = verdict === "bad";
  const shown = parts.filter(
    ({ part, code }) => !isBad && (part === "key" || part === "stamp") && code !== "none",
  );
  const stated = parts.map(
    (part) => [PART_NAMES[part.part], `${STATE_WORDS[part.state]}: ${sentenceOf(part)}`] as const,
  );
  const everything: Markup = [
    "details",
    "fold",
    ["summary", "", "Everything that was checked"],
    facts([...statementFacts.slice(4), ...stated]),
  ];
  return [
    [
      "div",
      `panel ${TONES[verdict]}`,
      ["h2", "", words],
      ...(offer
        ? [
            isForm
              ? (["p", "", `Choose the file again below, and press “${offer}”.`] as const)
              : (["button", "", offer] as const),
          ]
        : []),
      ...explained(report).map((text) => ["p", "", text] as const),
      ...(link ? [["p", "", ["a", link, `Open the proof at ${new URL(link).host}`]] as const] : []),
    ],
    ...(isBad && statement
      ? [["p", "label", "What the file says (do not rely on it):"] as const]
      : []),
    facts([
      ...statementFacts.slice(0, 4),
      ...(statement ? shown : []).map((part) => [PART_NAMES[part.part], sentenceOf(part)] as const),
    ]),
    ...(statement ? [everything] : []),
  ];
}
