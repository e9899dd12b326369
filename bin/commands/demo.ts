import { mkdtempSync, rmSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startPanel } from "@deed/playground/panel/server.ts";
import { startPlayground } from "@deed/playground/playground.ts";
import type { Command } from "commander";
import { packageFile } from "#db/package-file.ts";
import { freePort, startService } from "../support/demo-service.ts";
import { CommandError, messageOf } from "../support/output.ts";

export const register = (program: Command): void => {
  program
    .command("demo")
    .description("try Deed on an embedded DNS, with a registrar panel to edit zones")
    .addHelpText(
      "after",
      `
Runs the real service on loopback addresses, prints its mails, and keeps nothing. No network is used. Only the
settings PORT and LOG_LEVEL count; if the port is in use, the next free one is taken. Ctrl-C ends it.

Examples:
  deed demo
  PORT=8080 deed demo`,
    )
    .action(demo);
};

const firstSteps = (url: string, panelUrl: string) => `
Deed is running on an embedded DNS. No network is used.

  Deed             ${url}
  Registrar panel  ${panelUrl}

  1. Open Deed and sign in with any address. The link and the code appear here.
  2. Add acme.com.
  3. Open acme.com in the panel, and add the TXT record that Deed shows.
  4. Deed finds the record automatically, at the latest after half a minute. Then publish a link to the proof.

  ${panelUrl}/situations has thirteen mistakes and four waits to try.

Press Ctrl-C to end the demo. Nothing is kept.`;

function wantedPort(): number {
  const port = Number(process.env.PORT || 3000);
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw new CommandError("PORT must be a port number from 1 to 65535");
  return port;
}

/** Resolves with the first signal that asks this process to end. */
const askedToEnd = () =>
  new Promise<void>((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
      process.on(signal, () => resolve());
  });

function tell(text: string): void {
  const subject = /^Subject: (.*)$/m.exec(text)?.[1] ?? "";
  const to = /^To: (.*)$/m.exec(text)?.[1] ?? "";
  console.log(`\nMail to ${to}: ${subject}`);
  const link = /https?:\/\/\S+\/sign-in\/confirm\?token=[\w-]+/.exec(text)?.[0];
  const code = /^\s*(\d{6})\s*$/m.exec(text)?.[1];
  if (link) console.log(`  Link  ${link}`);
  if (code) console.log(`  Code  ${code}`);
}

/** Prints each mail as it arrives in the outbox. `failed` rejects if the outbox cannot be read. */
function tellMails(outbox: string): { failed: Promise<never>; stop(): void } {
  const told = new Set<string>();
  const stopping = new AbortController();
  const watch = async (): Promise<never> => {
    for (;;) {
      for (const name of (await readdir(outbox).catch(() => [])).sort()) {
        if (told.has(name) || !name.endsWith(".eml")) continue;
        told.add(name);
        tell(await readFile(join(outbox, name), "utf8"));
      }
      await sleep(300, undefined, { signal: stopping.signal });
    }
  };
  const failed = watch();
  // The end of the demo is no failure.
  failed.catch(() => {});
  return { failed, stop: () => stopping.abort() };
}

/** Resolves when the user ends the demo. Throws a CommandError if a part of it cannot start, or ends by itself. */
async function demo(): Promise<void> {
  const end = askedToEnd();
  const port = await freePort(wantedPort());
  const url = `http://localhost:${port}`;
  const dataDir = mkdtempSync(join(tmpdir(), "deed-demo-"));
  const stops: (() => unknown)[] = [() => rmSync(dataDir, { recursive: true, force: true })];
  try {
    const playground = await startPlayground();
    stops.push(playground.stop);
    const panel = await startPanel({
      playground,
      serviceUrl: url,
      port: await freePort(port + 1),
      files: packageFile("build/commands/panel"),
    });
    stops.push(panel.stop);
    const service = startService({
      ...playground.env,
      CLOCK_TRUSTED: "on",
      HOST: "127.0.0.1",
      PORT: String(port),
      DATA_DIR: dataDir,
    });
    stops.push(service.stop);
    const asked = await Promise.race([service.ended, service.answers, end.then(() => true)]);
    if (asked) return;
    console.log(firstSteps(url, panel.url));
    const mails = tellMails(join(dataDir, "outbox"));
    stops.push(mails.stop);
    await Promise.race([end, service.ended, mails.failed]);
  } catch (error) {
    throw new CommandError(messageOf(error).split("\n"));
  } finally {
    for (const stop of stops.reverse()) await stop();
  }
}
