import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

export type Noted = { path: string; id: string; isVerified: boolean };

/** Runs tests/support/receiver.ts; it can be killed and started again. */
export class Receiving {
  #child: ChildProcess | null = null;
  readonly secrets: Record<string, string> = {};

  constructor(
    readonly port: number,
    readonly log: string,
  ) {}

  url = (path: string) => `http://127.0.0.1:${this.port}${path}`;

  async start(): Promise<void> {
    const child = spawn(process.execPath, ["--import", "tsx", "tests/support/receiver.ts"], {
      env: {
        NODE_ENV: "test",
        PATH: process.env.PATH,
        PORT: String(this.port),
        LOG: this.log,
        SECRETS: JSON.stringify(this.secrets),
      },
      stdio: "inherit",
    });
    this.#child = child;
    while (!(await fetch(this.url("/"), { method: "GET" }).catch(() => null))) await sleep(20);
  }

  async kill(): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null) return;
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGKILL");
    await ended;
    this.#child = null;
  }

  noted(): Noted[] {
    if (!existsSync(this.log)) return [];
    return readFileSync(this.log, "utf8")
      .split("\n")
      .filter((line) => line.endsWith("}"))
      .map((line) => JSON.parse(line) as Noted)
      .filter(({ path }) => path !== "/");
  }
}
