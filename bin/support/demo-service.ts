import { spawn } from "node:child_process";
import { createServer } from "node:net";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { VARIABLES } from "#app/ops/environment/env.server.ts";
import { SECRET_VARIABLES } from "#app/ops/environment/secret-files.server.ts";
import { packageFile } from "#db/package-file.ts";

const START_MS = 60_000;
const STOP_MS = 7_000;
const KEPT_LINES = 40;

/** Keeps the settings around it, those in .env too, from reaching the demo: an empty variable counts as unset. */
const UNSET = Object.fromEntries(
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

/** The first free port of loopback, starting at `port`. */
export async function freePort(port: number): Promise<number> {
  for (let each = port; each < 65_536; each++)
    if ((await isFree(each, "127.0.0.1")) && (await isFree(each, "::1"))) return each;
  throw new Error(`There is no free port from ${port} on.`);
}

/** Starts `deed serve` as a process of its own, with these settings alone. */
export function startService(env: Record<string, string>) {
  const child = spawn(process.execPath, [packageFile("bin/deed.mjs"), "serve"], {
    env: { ...process.env, ...UNSET, ...env, NODE_ENV: "production" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const killWithThis = () => child.kill("SIGKILL");
  process.once("exit", killWithThis);
  const said: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream }).on("line", (line) => {
      said.push(line);
      if (said.length > KEPT_LINES) said.shift();
    });
  const closed = new Promise<void>((resolve) => {
    child.once("close", () => {
      process.removeListener("exit", killWithThis);
      resolve();
    });
  });
  let isStopping = false;
  const over = new AbortController();
  child.once("close", () => over.abort());
  const ended = new Promise<never>((_, reject) => {
    child.once("error", (error) => reject(new Error(`Deed did not start: ${error.message}`)));
    child.once("close", (code, signal) => {
      if (isStopping) return;
      reject(new Error(`Deed ended (${signal ?? `exit code ${code}`}):\n${said.join("\n")}`));
    });
  });
  ended.catch(() => {});
  return {
    /** Rejects with its last lines when it ends before `stop`. */
    ended,
    /** Resolves once it answers, or has ended; rejects if neither happens within a minute. */
    answers: untilHealthy(`http://${env.HOST}:${env.PORT}/api/health/live`, over.signal),
    async stop() {
      isStopping = true;
      child.kill("SIGTERM");
      const impatient = setTimeout(() => child.kill("SIGKILL"), STOP_MS);
      await closed;
      clearTimeout(impatient);
    },
  };
}

async function untilHealthy(url: string, over: AbortSignal): Promise<void> {
  const giveUpAt = Date.now() + START_MS;
  while (!over.aborted && Date.now() < giveUpAt) {
    const answer = await fetch(url).catch(() => null);
    await answer?.body?.cancel();
    if (answer?.ok) return;
    await sleep(100);
  }
  if (over.aborted) return;
  throw new Error(`Deed did not answer within ${START_MS / 1000} s.`);
}
