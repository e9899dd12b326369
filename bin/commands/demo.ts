import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { mailFiles, readMail } from "@deed/playground/panel/mailbox.ts";
import { startPanel } from "@deed/playground/panel/server.ts";
import { startPlayground } from "@deed/playground/playground.ts";
import type { Command } from "commander";
import { VARIABLES } from "#app/environment/env.server.ts";
import { SECRET_VARIABLES } from "#app/environment/secret-files.server.ts";
import { packageFile } from "#db/package-file.ts";
import { CommandError, messageOf } from "../support/output.ts";

export const HELP = `
Runs the real service on loopback addresses, prints its emails, and keeps nothing. No network is used. It uses only the
settings PORT, LOG_LEVEL and HOST. HOST=0.0.0.0 lets others in: use it only in a container whose ports are open to this machine
alone. If the port is in use, the demo takes the next free port. Ctrl-C ends it.

Examples:
  deed demo
  PORT=8080 deed demo
  docker run --rm -it -p 127.0.0.1:3000:3000 -p 127.0.0.1:3001:3001 deed demo`;

export const register = (command: Command) =>
  command
    .description("try Deed on an embedded DNS, with a registrar panel to edit zones")
    .action(demo);

const welcomeText = (url: string, panelUrl: string) => `
Deed is running on an embedded DNS. No network is used.

  Registrar panel  ${panelUrl}    start here: how to sign in, and what to try
  Deed             ${url}

Press Ctrl-C to end the demo. Nothing is kept.`;

function wantedPort(): number {
  const port = Number(process.env.PORT || 3000);
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw new CommandError("PORT must be a port number from 1 to 65535");
  return port;
}

/** Any other HOST is ignored, because some shells set it to the machine's name. */
const host = process.env.HOST === "0.0.0.0" ? "0.0.0.0" : "127.0.0.1";

const waitUntilStopped = () =>
  new Promise<void>((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
      process.on(signal, () => resolve());
  });

async function printMail(outbox: string, file: string): Promise<void> {
  const { to, subject, text } = await readMail(outbox, file);
  console.log(`\nEmail to ${to}: ${subject}`);
  const link = /https?:\/\/\S+\/sign-in\/confirm\?token=[\w-]+/.exec(text)?.[0];
  if (link) console.log(`  Link  ${link}`);
}

/** Prints mails until `signal` aborts. Rejects if the outbox cannot be read. */
async function printMails(outbox: string, signal: AbortSignal): Promise<void> {
  for (const printedFiles = new Set<string>(); !signal.aborted; ) {
    for (const name of await mailFiles(outbox)) {
      if (printedFiles.has(name)) continue;
      printedFiles.add(name);
      await printMail(outbox, name);
    }
    await sleep(300, undefined, { signal }).catch(() => {});
  }
}

/** Throws a CommandError if a part of the demo cannot start, or ends by itself. */
async function demo(): Promise<void> {
  const untilStopped = waitUntilStopped();
  const port = await freePort(wantedPort());
  const url = `http://localhost:${port}`;
  const dataDir = mkdtempSync(join(tmpdir(), "deed-demo-"));
  const cleanups: (() => unknown)[] = [() => rmSync(dataDir, { recursive: true, force: true })];
  try {
    const playground = await startPlayground();
    cleanups.push(playground.stop);
    const panel = await startPanel({
      playground,
      serviceUrl: url,
      outbox: join(dataDir, "outbox"),
      host,
      port: await freePort(port + 1),
      files: packageFile("build/commands/panel"),
    });
    cleanups.push(panel.stop);
    const service = startService({
      ...playground.env,
      CLOCK_TRUSTED: "on",
      HOST: host,
      PORT: String(port),
      DATA_DIR: dataDir,
      WEBHOOK_ALLOW_ADDRESSES: "127.0.0.0/8",
    });
    cleanups.push(service.stop);
    if (await Promise.race([service.ended, service.ready, untilStopped.then(() => true)])) return;
    console.log(welcomeText(url, panel.url));
    const printing = new AbortController();
    cleanups.push(() => printing.abort());
    const mails = printMails(join(dataDir, "outbox"), printing.signal);
    await Promise.race([untilStopped, service.ended, mails]);
  } catch (error) {
    throw new CommandError(messageOf(error).split("\n"));
  } finally {
    for (const stop of cleanups.reverse()) await stop();
  }
}

const START_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 7_000;
const KEPT_LINES = 40;

/** No setting of the environment or .env may reach the demo: an empty variable counts as not set. */
const EMPTY_VARIABLES = Object.fromEntries(
  [
    ...VARIABLES.filter((name) => name !== "LOG_LEVEL"),
    ...SECRET_VARIABLES.map((n) => `${n}_FILE`),
  ].map((name) => [name, ""]),
);

const isFree = (port: number, host: string) =>
  new Promise<boolean>((resolve) => {
    const server = createServer();
    server.once("error", ({ code }: NodeJS.ErrnoException) =>
      resolve(code === "EADDRNOTAVAIL" || code === "EAFNOSUPPORT"),
    );
    server.listen({ port, host }, () => server.close(() => resolve(true)));
  });

async function freePort(port: number): Promise<number> {
  for (let next = port; next < 65_536; next++)
    if ((await isFree(next, "127.0.0.1")) && (await isFree(next, "::1"))) return next;
  throw new Error(`There is no free port at or above ${port}.`);
}

function startService(env: Record<string, string>) {
  const child = spawn(process.execPath, [packageFile("bin/deed.mjs"), "serve"], {
    env: { ...process.env, ...EMPTY_VARIABLES, ...env, NODE_ENV: "production" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const killChild = () => child.kill("SIGKILL");
  process.once("exit", killChild);
  const lastLines: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream }).on("line", (line) => {
      lastLines.push(line);
      if (lastLines.length > KEPT_LINES) lastLines.shift();
    });
  const closed = new Promise<void>((resolve) => child.once("close", () => resolve()));
  void closed.then(() => process.removeListener("exit", killChild));
  const ended = new Promise<never>((_, reject) => {
    child.once("error", (error) => reject(new Error(`Deed did not start: ${error.message}`)));
    child.once("close", (code, signal) =>
      reject(new Error(`Deed ended (${signal ?? `exit code ${code}`}):\n${lastLines.join("\n")}`)),
    );
  });
  ended.catch(() => {});
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  /** Waits until the service answers or has ended; rejects after a minute. */
  const waitForAnswer = async () => {
    const healthUrl = `http://${env.HOST}:${env.PORT}/api/health/live`;
    for (const giveUpAt = Date.now() + START_TIMEOUT_MS; !hasEnded(); await sleep(100)) {
      const answer = await fetch(healthUrl).catch(() => null);
      await answer?.body?.cancel();
      if (answer?.ok) return;
      if (Date.now() > giveUpAt)
        throw new Error(`Deed did not answer within ${START_TIMEOUT_MS / 1000} s.`);
    }
    await closed;
  };
  return {
    ended,
    ready: waitForAnswer(),
    async stop() {
      child.kill("SIGTERM");
      const killTimer = setTimeout(() => child.kill("SIGKILL"), STOP_TIMEOUT_MS);
      await closed;
      clearTimeout(killTimer);
    },
  };
}
