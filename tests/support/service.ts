import "./run.ts";
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
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
  /** Sends SIGTERM and resolves with the exit code. Removes the data folder unless `keep`. */
  stop(options?: { keep?: boolean }): Promise<number | null>;
  /** Sends SIGKILL. Keeps the data folder for the next start. */
  kill(): Promise<void>;
};

const START_MS = 60_000;

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() =>
        typeof address === "object" && address
          ? resolve(address.port)
          : reject(new Error("no port")),
      );
    });
  });
}

const exited = (child: ChildProcess) =>
  new Promise<number | null>((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve(child.exitCode);
    else child.once("exit", (code) => resolve(code));
  });

/** Starts the packed product, in a new data folder by default, in an environment that inherits only PATH and HOME. */
export async function startService(
  options: { env?: Record<string, string>; dataDir?: string; port?: number } = {},
): Promise<Service> {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), "deed-"));
  const port = options.port ?? (await freePort());
  const url = `http://localhost:${port}`;
  const child = spawn(deedCommand(), ["serve"], {
    cwd: dirname(dirname(deedCommand())),
    env: {
      NODE_ENV: "production",
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      PORT: String(port),
      DATA_DIR: dataDir,
      DNS_RESOLVERS: "",
      RDAP: "off",
      ...options.env,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let printed = "";
  child.stdout?.on("data", (chunk) => {
    printed += chunk;
  });
  child.stderr?.on("data", (chunk) => {
    printed += chunk;
  });

  const giveUpAt = Date.now() + START_MS;
  for (;;) {
    if (child.exitCode !== null) throw new Error(`the service ended at its start:\n${printed}`);
    const answer = await fetch(`${url}/api/health`).catch(() => null);
    await answer?.body?.cancel();
    if (answer?.ok) break;
    if (Date.now() > giveUpAt) {
      child.kill("SIGKILL");
      throw new Error(`the service did not start in ${START_MS} ms:\n${printed}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }

  return {
    url,
    dataDir,
    child,
    output: () => printed,
    outbox: () => {
      const folder = join(dataDir, "outbox");
      try {
        return readdirSync(folder)
          .sort()
          .map((name) => readFileSync(join(folder, name), "utf8"));
      } catch {
        return [];
      }
    },
    stop: async ({ keep = false } = {}) => {
      child.kill("SIGTERM");
      const code = await exited(child);
      if (!keep) rmSync(dataDir, { recursive: true, force: true });
      return code;
    },
    kill: async () => {
      child.kill("SIGKILL");
      await exited(child);
    },
  };
}
