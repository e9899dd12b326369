import { randomUUID } from "node:crypto";
import { styleText } from "node:util";
import { escapePrinted, escapeUntrusted } from "@deed/dns/verdict/escape-untrusted.ts";

export { causeOf, messageOf } from "#app/environment/error-messages.ts";

/** A command may add exit codes from 3 on, documented in its help. */
export const EXIT = { ok: 0, failure: 1, usage: 2 } as const;

/** Replaces ESC in Deed's own sequences until they are written. Text from outside cannot contain this mark. */
const ESC_MARK = randomUUID();

/** Escapes everything that this process prints, except the styles and rewritten lines of this file. */
export function guardTerminal(): void {
  for (const stream of [process.stdout, process.stderr]) {
    // The reader of a pipe may stop early, as `head` does.
    stream.on("error", () => process.exit(process.exitCode ?? EXIT.failure));
    const write = stream.write.bind(stream) as (...args: unknown[]) => boolean;
    stream.write = (chunk: string | Uint8Array, ...rest: unknown[]) => {
      const text = typeof chunk === "string" ? chunk : Buffer.from(chunk).toString();
      return write(escapePrinted(text).replaceAll(ESC_MARK, "\x1b"), ...rest);
    };
  }
}

export const toOneLine = (text: string): string => escapeUntrusted(text, Number.POSITIVE_INFINITY);

/** An error that ends a command. A list of messages is printed with one on each line. */
export class CommandError extends Error {
  constructor(
    message: string | readonly string[],
    readonly exitCode: number = EXIT.failure,
  ) {
    super([message].flat().map(toOneLine).join("\n"));
  }
}

export class UsageError extends CommandError {
  constructor(message: string) {
    super(`error: ${message}`, EXIT.usage);
  }
}

const isStyled = (stream: NodeJS.WriteStream) => stream.isTTY && !process.env.NO_COLOR;

type Style = Parameters<typeof styleText>[0];

/** Styles text on a terminal, unless NO_COLOR is set. */
export const styled = (style: Style, text: string): string =>
  isStyled(process.stdout)
    ? styleText(style, escapePrinted(text), { validateStream: false }).replaceAll("\x1b", ESC_MARK)
    : text;

export function rewriteLine(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`${ESC_MARK}[G${ESC_MARK}[K${text}`);
}

export const printJson = (value: unknown): void => console.log(JSON.stringify(value, null, 2));

export function align(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  return rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  "));
}

export function printTable(table: readonly (readonly string[])[]): void {
  for (const line of align(table.map((row) => row.map(toOneLine)))) console.log(line.trimEnd());
}
