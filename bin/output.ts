import { styleText } from "node:util";

/** The exit codes of every command. A command may add its own from 3 on, documented in its help. */
export const EXIT = { ok: 0, failure: 1, usage: 2 } as const;

/** Ends the command with its message as one line on stderr, and its exit code. */
export class CommandError extends Error {
  constructor(
    message: string,
    readonly exitCode: number = EXIT.failure,
  ) {
    super(message);
  }
}

/** Wrong usage that the argument parser cannot see. */
export class UsageError extends CommandError {
  constructor(message: string) {
    super(`error: ${message}`, EXIT.usage);
  }
}

export const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

const isStyled = (stream: NodeJS.WriteStream) => stream.isTTY && !process.env.NO_COLOR;

type Style = Parameters<typeof styleText>[0];

/** Styles text for stdout: on a terminal only, and never where NO_COLOR is set. */
export const styled = (style: Style, text: string): string =>
  isStyled(process.stdout) ? styleText(style, text, { validateStream: false }) : text;

/** Prints a value as JSON, indented, on stdout. */
export const printJson = (value: unknown): void => console.log(JSON.stringify(value, null, 2));

/** Prints rows of text with aligned columns on stdout. */
export function printTable(rows: readonly (readonly string[])[]): void {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  for (const row of rows)
    console.log(
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    );
}
