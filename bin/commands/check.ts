import { setTimeout as sleep } from "node:timers/promises";
import type { Command } from "commander";
import { follow } from "#app/features/checks/follow.ts";
import {
  checkSettings,
  exitCodeOf,
  questionOf,
  type Reading,
  readings,
  toldBy,
} from "../check/read.ts";
import { inBrief, newsOf, type Paint, reportOf, type Tone, textOf } from "../check/report.ts";
import { loadDotEnv } from "../support/environment.ts";
import { CommandError, EXIT, printJson, rewriteLine, styled } from "../support/output.ts";

const HELP = `
Asks the root, the registry and the zone's own nameservers, and then the resolvers of DNS_RESOLVERS, from this
machine. Needs no server, database or account; of the settings, DNS_* and CHALLENGE_LABEL count. Without a token it
shows the zone and what TXT is at the challenge name.

The token's earlier history is not known here, so a record left over from an ended claim is called foreign_token, and
whether the zone has changed since the claim began only shows with --wait or --watch.

Exit codes:
  0  the record was found; without --token, the zone was read
  1  not yet; without --token, nothing is delegated or no nameserver answers
  2  wrong usage, the name included
  3  DNS could not be checked from here

Examples:
  deed check acme.com
  deed check acme.com --token service_v1_0123456789abcdef0123456789abcdef01234567
  deed check acme.com --token service_v1_… --wait && ./next-step
  deed check acme.com --watch --json`;

export const register = (program: Command) =>
  program
    .command("check")
    .description("check a domain, and with a token its record, from this machine")
    .argument("<name>", "the domain name")
    .option("--token <token>", "the value that the record must have")
    .option("--wait", "check at growing intervals until the record is found; Ctrl-C ends it")
    .option("--watch", "keep checking and print each change; Ctrl-C ends it")
    .option("--json", "print JSON; with --wait or --watch one line for each check or change")
    .addHelpText("after", HELP)
    .action(check);

type Options = { token?: string; wait?: true; watch?: true; json?: true };

const COLOURS: Record<Tone, Parameters<typeof styled>[0]> = {
  good: "green",
  bad: "red",
  waiting: "yellow",
  strong: "bold",
  quiet: "dim",
};
const paint: Paint = (tone, text) => styled(COLOURS[tone], text);

const countdown = (brief: () => string) => async (at: number, signal: AbortSignal) => {
  while (!signal.aborted && Date.now() < at) {
    const seconds = Math.ceil((at - Date.now()) / 1_000);
    rewriteLine(`${brief()}; next check in ${seconds} s`);
    await sleep(Math.min(1_000, at - Date.now()), null, { signal }).catch(() => {});
  }
  rewriteLine(signal.aborted ? "" : "checking…");
};

/** The first reading and each that brings news in full; with `--wait` the others in a line. */
function printer({ json, wait, watch }: Options) {
  let news: string | null = null;
  let brief = "";
  const print = (reading: Reading, nextAt: number | null) => {
    const report = reportOf(reading, Date.now());
    const isNews = newsOf(report) !== news;
    const isFirst = news === null;
    news = newsOf(report);
    brief = inBrief(report);
    rewriteLine("");
    if (json) {
      if (!wait && !watch) printJson(report);
      else if (wait || isNews) console.log(JSON.stringify(report));
    } else if (isNews) {
      if (!isFirst) console.log("");
      if (wait || watch) console.log(paint("quiet", report.at));
      console.log(textOf(report, paint).join("\n"));
    }
    if (wait && nextAt !== null && !json && !process.stderr.isTTY)
      console.log(`${report.at}  ${brief}; next check at ${new Date(nextAt).toISOString()}`);
  };
  return { print, brief: () => brief };
}

async function check(name: string, options: Options): Promise<void> {
  loadDotEnv();
  const { token, wait, watch } = options;
  if (wait && watch)
    throw new CommandError(
      "--wait ends once the record is found, --watch does not: choose one.",
      EXIT.usage,
    );
  if (wait && token === undefined) throw new CommandError("--wait needs --token.", EXIT.usage);
  const settings = checkSettings(process.env);
  const question = questionOf(name, token, settings.label);
  const interrupt = new AbortController();
  const end = () => interrupt.abort();
  process.once("SIGINT", end).once("SIGTERM", end);
  try {
    const { print, brief } = printer(options);
    rewriteLine("checking…");
    const last = await follow(
      {
        read: readings(settings.reader, question),
        toldBy,
        onRead: print,
        waitUntil: countdown(brief),
        isLast: ({ verdict }) => !watch && (!wait || verdict.outcome === "found"),
        clock: Date.now,
        random: Math.random,
      },
      interrupt.signal,
    );
    rewriteLine("");
    process.exitCode = last === null ? EXIT.failure : exitCodeOf(last);
  } finally {
    process.removeListener("SIGINT", end).removeListener("SIGTERM", end);
  }
}
