import { escapeUntrusted } from "@deed/dns/verdict/escape-untrusted.ts";

export const MAX_LINES = 100;

/** Marks the address of the page that follows a form whose www. was removed. */
export const WWW_REMOVED = "www";

export type LineResult =
  | {
      outcome: "added" | "known" | "archived" | "claimed";
      name: string;
      unicodeName: string;
      /** Whether `www.` was removed from the line. */
      isWwwRemoved: boolean;
      href: string;
    }
  /** `shown` is the line as it is safe to show, shortened. */
  | { outcome: "refused"; line: string; shown: string; message: string };

export type SeveralAnswer = {
  at: string;
  typed: string;
  error: string | null;
  results: LineResult[];
};

/** Length at which a refused line is shown, in UTF-16 units. */
const SHOWN_LENGTH = 60;

/** The pasted lines without the empty ones, each trimmed. Any line ending. */
export const linesOf = (text: string): string[] =>
  text
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim())
    .filter((line) => line !== "");

/** Why the lines cannot be added at once, for the person; null if they can. */
export function linesError(lines: readonly string[]): string | null {
  if (lines.length === 0) return "Type or paste at least one domain.";
  return lines.length > MAX_LINES
    ? `These are ${lines.length} lines. Add at most ${MAX_LINES} at once.`
    : null;
}

export const refusedLine = (line: string, message: string): LineResult => ({
  outcome: "refused",
  line,
  shown: escapeUntrusted(line, SHOWN_LENGTH),
  message,
});

export const refusedLines = (results: readonly LineResult[]): string =>
  results.flatMap((result) => (result.outcome === "refused" ? [result.line] : [])).join("\n");
