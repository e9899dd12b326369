import "./run.ts";
import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { randomInt, randomUUID } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { deedCommand } from "./product.ts";

export type Service = {
  /** Origin, such as http://localhost:41234. */
  url: string;
  dataDir: string;
  /** The mails written so far, oldest first. */
  outbox(): string[];
  output(): string;
  child: ChildProcess;
  /** Sends SIGTERM and resolves with the exit code. */
  stop(): Promise<number | null>;
  kill(): Promise<void>;
};

const START_MS = 150_000;

/** Root hints that lead nowhere, written once per process: while a file is rewritten, half of it may be read. */
let hints: string | undefined;

/**
 * The settings for every service and command of a test: no DNS, registry or resolver of the Internet. Stamps and mails go
 * nowhere unless a setting says so. loopback-only.cjs stops whatever forgets this.
 */
export function closed() {
  if (!hints) {
    hints = join(tmpdir(), `no-root-${randomUUID()}.hints`);
    writeFileSync(hints, ". 3600000 NS root.invalid.\nroot.invalid. 3600000 A 127.0.0.199\n");
  }
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const isOff = { DNS_ROOT_HINTS: hints, DNS_RESOLVERS: "", RDAP: "off" };
  return { NODE_ENV: "production" as const, PATH, NODE_COMPILE_CACHE, ...isOff };
}

/**
 * A port below the range for connections and port 0, so that the system gives it to nobody before it is used. Above
 * 10080, which fetch and browsers refuse to ask (Fetch standard, "bad port").
 */
export async function freePort(): Promise<number> {
  const port = 10_081 + randomInt(19_900);
  const server = createServer();
  const isFree = await new Promise<boolean>((resolve) => {
    server.once("error", () => resolve(false));
    server.listen(port, () => resolve(true));
  });
  if (!isFree) return freePort();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** A new folder, removed with the run. */
export const newFolder = (): string => mkdtempSync(join(tmpdir(), "deed-"));

/** Listens on a free port of 127.0.0.1; resolves with the origin. */
export async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Starts a program and collects its output. `ended` is its exit code. */
export function launch(command: string, args: readonly string[], options: SpawnOptions = {}) {
  const child = spawn(command, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
  let printed = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (chunk) => {
      printed += chunk;
    });
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  return { child, printed: () => printed, ended };
}

/** Starts the packed product, in a new data folder by default, in an environment that inherits only PATH and HOME. */
export async function startService(
  options: { env?: Record<string, string>; dataDir?: string; port?: number; command?: string } = {},
): Promise<Service> {
  const dataDir = options.dataDir ?? newFolder();
  const port = options.port ?? (await freePort());
  const url = `http://localhost:${port}`;
  const { command = deedCommand() } = options;
  const { child, printed, ended } = launch(command, ["serve"], {
    cwd: dirname(dirname(command)),
    env: {
      ...closed(),
      HOME: process.env.HOME,
      PORT: String(port),
      DATA_DIR: dataDir,
      ...options.env,
    },
  });
  const giveUpAt = Date.now() + START_MS;
  for (;;) {
    if (child.exitCode !== null) {
      // Another test's server took the port, and may have answered instead.
      if (!options.port && printed().includes("in use by another process"))
        return startService(options);
      throw new Error(`the service ended at its start:\n${printed()}`);
    }
    const answer = await fetch(`${url}/api/health`).catch(() => null);
    const health = await answer?.text();
    if (answer?.ok && health?.includes('"reason"')) break;
    if (Date.now() > giveUpAt) {
      child.kill("SIGKILL");
      throw new Error(`the service did not start in ${START_MS} ms:\n${printed()}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }

  return {
    url,
    dataDir,
    child,
    output: printed,
    outbox: () => mailsIn(join(dataDir, "outbox")),
    stop: () => {
      child.kill("SIGTERM");
      return ended;
    },
    kill: async () => {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

const mails = new Map<string, string>();

/** The mails in an outbox, oldest first. A mail is complete once it is there, and is read once. */
export const mailsIn = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder)
        .sort()
        .map((name) => {
          const path = join(folder, name);
          const text = mails.get(path) ?? readFileSync(path, "utf8");
          mails.set(path, text);
          return text;
        })
    : [];
