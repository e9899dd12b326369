import { setTimeout as sleep } from "node:timers/promises";
import { type Command, InvalidArgumentError } from "commander";
import { follow } from "#app/features/checks/follow.ts";
import {
  checkSettings,
  exitCodeOf,
  lastReadOf,
  questionOf,
  type Reading,
  recordOf,
  recordReader,
  tokenReader,
} from "../check/read.ts";
import { contentOf, reportOf, summaryOf, textOf } from "../check/report.ts";
import { loadDotEnv } from "../support/environment.ts";
import { EXIT, printJson, rewriteLine, styled, UsageError } from "../support/output.ts";

export const HELP = `
Asks the root, the registry and the zone's own nameservers, and then the resolvers of DNS_RESOLVERS, from this
machine. Needs no server, database or account. Uses only the settings DNS_* and CHALLENGE_LABEL. Without a token it
shows the zone and the TXT records at the challenge name.

The token's earlier history is not known here, so a record left over from an ended claim is called foreign_token, and
whether the zone has changed since the claim began only shows with --wait or --watch.

With --record it looks for any TXT or CNAME record: give its host and value, or one pasted line of both.

Exit codes:
  0  the record was found; without --token, the zone was read
  1  not yet; without --token, nothing is delegated or no nameserver answers
  2  wrong usage, or not a domain name
  3  DNS could not be checked from here

Examples:
  deed check acme.com
  deed check acme.com --token service_v1_0123456789abcdef0123456789abcdef01234567
  deed check acme.com --token service_v1_… --wait && ./next-step
  deed check acme.com --watch --json
  deed check --record _github-challenge-acme.acme.com 5fd2a1c0de --wait 10m`;

export const register = (command: Command) =>
  command
    .description("check a domain, and with a token its record, from this machine")
    .argument("<name>", "the domain name; with --record the host of the record")
    .argument("[value...]", "with --record the value that it must have")
    .option("--record", "check any TXT or CNAME record")
    .option("--type <type>", "of that record: TXT or CNAME (default: TXT)")
    .option("--token <token>", "the value that the record must have")
    .option(
      "--wait [time]",
      "check until the record is found, or for a time such as 10m; Ctrl-C ends it",
      parseEnd,
    )
    .option("--watch", "keep checking and print each change; Ctrl-C ends it")
    .option("--json", "print JSON; with --wait or --watch one line for each check or change")
    .action(check);

type Options = {
  token?: string;
  record?: true;
  type?: string;
  /** The end of the wait, epoch milliseconds. */
  wait?: true | number;
  watch?: true;
  json?: true;
};

const UNIT_MS = { s: 1_000, m: 60_000, h: 3_600_000 };

function parseEnd(text: string): number {
  const [, count, unit] = /^(\d{1,4})([smh])$/.exec(text) ?? [];
  if (!unit) throw new InvalidArgumentError("Type a time in s, m or h, such as 10m.");
  return Date.now() + Number(count) * UNIT_MS[unit as keyof typeof UNIT_MS];
}

const countdown = (summarize: () => string) => async (at: number, signal: AbortSignal) => {
  while (!signal.aborted && Date.now() < at) {
    const seconds = Math.ceil((at - Date.now()) / 1_000);
    rewriteLine(`${summarize()}; next check in ${seconds} s`);
    await sleep(Math.min(1_000, at - Date.now()), null, { signal }).catch(() => {});
  }
  rewriteLine(signal.aborted ? "" : "checking…");
};

/** Prints the first reading and each changed one in full; with `--wait`, the others as one line. */
function createPrinter({ json, wait, watch }: Options) {
  let lastContent: string | null = null;
  let summary = "";
  const print = (reading: Reading, nextAt: number | null) => {
    const report = reportOf(reading, Date.now());
    const hasChanged = contentOf(report) !== lastContent;
    const isFirst = lastContent === null;
    lastContent = contentOf(report);
    summary = summaryOf(report);
    rewriteLine("");
    if (json) {
      if (!wait && !watch) printJson(report);
      else if (wait || hasChanged) console.log(JSON.stringify(report));
    } else if (hasChanged) {
      if (!isFirst) console.log("");
      if (wait || watch) console.log(styled("dim", report.at));
      console.log(textOf(report).join("\n"));
    }
    if (wait && nextAt !== null && !json && !process.stderr.isTTY)
      console.log(`${report.at}  ${summary}; next check at ${new Date(nextAt).toISOString()}`);
  };
  return { print, summarize: () => summary };
}

function chooseReader(name: string, value: string, { token, record, type }: Options) {
  const settings = checkSettings(process.env);
  if (record && token !== undefined)
    throw new UsageError("--record takes a value, --token a token: choose one.");
  if (record) return recordReader(settings.reader, recordOf({ name, type: type ?? "TXT", value }));
  if (value !== "") throw new UsageError("A value needs --record.");
  if (type !== undefined) throw new UsageError("--type needs --record.");
  return tokenReader(settings.reader, questionOf(name, token, settings.label));
}

async function check(name: string, valueParts: string[], options: Options): Promise<void> {
  loadDotEnv();
  const { token, record, wait, watch } = options;
  if (wait && watch)
    throw new UsageError("--wait ends once the record is found, --watch does not: choose one.");
  if (wait && token === undefined && !record)
    throw new UsageError("--wait needs --token or --record.");
  const endsAt = typeof wait === "number" ? wait : Number.POSITIVE_INFINITY;
  const read = chooseReader(name, valueParts.join(" "), options);
  const interrupt = new AbortController();
  const stop = () => interrupt.abort();
  process.once("SIGINT", stop).once("SIGTERM", stop);
  try {
    const { print, summarize } = createPrinter(options);
    rewriteLine("checking…");
    const last = await follow(
      {
        read,
        lastReadOf,
        onRead: (reading, nextAt) => print(reading, nextAt && Math.min(nextAt, endsAt)),
        waitUntil: (at, signal) => countdown(summarize)(Math.min(at, endsAt), signal),
        isLast: ({ verdict }) =>
          !watch && (!wait || verdict.outcome === "found" || Date.now() >= endsAt),
        clock: Date.now,
        random: Math.random,
      },
      interrupt.signal,
    );
    rewriteLine("");
    process.exitCode = last === null ? EXIT.failure : exitCodeOf(last);
  } finally {
    process.removeListener("SIGINT", stop).removeListener("SIGTERM", stop);
  }
}
