import { escapeUntrusted } from "@deed/dns/verdict/escape-untrusted.ts";
import { isReference, REFERENCE_RULE } from "#app/core/reference.ts";

export const MAX_LINES = 100;

/** The query parameter of the page that comes after a form whose domain lost its www. */
export const WWW_REMOVED = "www";

export type AddedLine = Record<"name" | "unicodeName" | "href", string> & {
  outcome: "added" | "known" | "archived" | "proved" | "claimed";
  isWwwRemoved: boolean;
};
/** `shown` is the line made safe and short. If `isDoubted`, the message is a doubt, which the person can overrule. */
export type LineResult =
  | AddedLine
  | { outcome: "refused"; line: string; shown: string; message: string; isDoubted: boolean };

export type SeveralAnswer = {
  at: string;
  typed: string;
  reference: string;
  error: { field: "domains" | "reference"; message: string } | null;
  results: LineResult[];
};

const SHOWN_LENGTH = 60;

/** Splits pasted text at any line ending into trimmed lines, without empty and repeated ones. */
export const linesOf = (text: string): string[] => [
  ...new Set(text.split(/[\r\n]/).flatMap((line) => line.trim() || [])),
];

export const OUTCOME_WORDS = {
  claimed: "being proved",
  added: "added to your list",
  proved: "already proved",
  known: "already on your list",
  archived: "in your archive",
  refused: "refused",
} as const;

/** Writes, for example, "2 being proved, 1 already proved, 1 refused". */
export const summaryOf = (results: readonly LineResult[]): string =>
  Object.entries(OUTCOME_WORDS)
    .flatMap(([outcome, words]) => {
      const count = results.filter((one) => one.outcome === outcome).length;
      return count > 0 ? [`${count} ${words}`] : [];
    })
    .join(", ");

/** Says why the lines cannot be added now; null if they can. `reference` is empty if there is none. */
export function linesError(lines: readonly string[], reference: string): SeveralAnswer["error"] {
  if (reference !== "" && !isReference(reference))
    return { field: "reference", message: `A reference has ${REFERENCE_RULE}.` };
  if (lines.length > 0 && lines.length <= MAX_LINES) return null;
  const message =
    lines.length === 0
      ? "Type or paste at least one domain."
      : `There are ${lines.length} lines. Add at most ${MAX_LINES} at once.`;
  return { field: "domains", message };
}

export const refusedLine = (line: string, message: string, isDoubted = false): LineResult => ({
  outcome: "refused",
  line,
  shown: escapeUntrusted(line, SHOWN_LENGTH),
  message,
  isDoubted,
});

export const refusedLines = (results: readonly LineResult[]): string =>
  results.flatMap((result) => (result.outcome === "refused" ? [result.line] : [])).join("\n");
