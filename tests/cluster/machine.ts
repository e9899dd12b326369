import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { deedCommand, productFolder } from "../support/product.ts";
import { launch } from "../support/service.ts";

export type Health = {
  status: string;
  reason: string | null;
  role: "single" | "primary" | "replica" | "orphan";
  term: number | null;
  position: string;
  lagMs: number | null;
  database: "ok" | "failing" | "gone";
  worker: "running" | "stopped";
};

/** Linux lists children by the thread that started them. */
const children = (pid: number): number[] =>
  readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    (readFileSync(`/proc/${pid}/task/${thread}/children`, "utf8").match(/\d+/g) ?? []).map(Number),
  );

/** One machine of the cluster: LiteFS with its own mount, and its Deed process. */
export class Machine {
  #child: ChildProcess | null = null;
  #app = 0;

  constructor(
    private readonly litefs: string,
    readonly folder: string,
    readonly address: string,
    private readonly own: Record<string, string>,
  ) {
    for (const name of ["mount", "litefs", "data", "bin"])
      mkdirSync(join(folder, name), { recursive: true });
    symlinkSync(deedCommand(), join(folder, "bin/deed"));
  }

  get url(): string {
    return `http://${this.address}:${this.own.PORT}`;
  }

  get litefsUrl(): string {
    return `http://${this.address}:20202`;
  }

  get database(): string {
    return join(this.folder, "mount", "deed.db");
  }

  get isRunning(): boolean {
    return this.#child !== null;
  }

  /** The environment of LiteFS and Deed; `primary` is LITEFS_PRIMARY. */
  env(primary: string): NodeJS.ProcessEnv {
    return {
      PATH: `${join(this.folder, "bin")}:${process.env.PATH}`,
      HOME: process.env.HOME ?? "",
      NODE_ENV: "production",
      LITEFS_NODE: this.address,
      LITEFS_PRIMARY: primary,
      LITEFS_MOUNT: join(this.folder, "mount"),
      LITEFS_DATA: join(this.folder, "litefs"),
      LITEFS_URL: this.litefsUrl,
      DATABASE_PATH: this.database,
      DATA_DIR: join(this.folder, "data"),
      HOST: this.address,
      ...this.own,
    };
  }

  start(primary: string): void {
    const log = openSync(join(this.folder, "log"), "a");
    const child = spawn(this.litefs, ["mount", "-config", "litefs.yml"], {
      cwd: productFolder(),
      env: this.env(primary),
      stdio: ["ignore", log, log],
    });
    closeSync(log);
    this.#child = child;
    child.once("exit", () => {
      if (this.#child === child) this.#child = null;
    });
  }

  log(): string {
    return readFileSync(join(this.folder, "log"), "utf8");
  }

  async run(primary: Machine, command: string, ...args: string[]) {
    const env = this.env(primary.address);
    const { ended, printed } = launch(command, args, { cwd: productFolder(), env });
    return { status: await ended, said: printed() };
  }

  async health(): Promise<Health | null> {
    const signal = AbortSignal.timeout(2_000);
    const answer = await fetch(`${this.url}/api/health`, { signal }).catch(() => null);
    return (await answer?.json().catch(() => null)) ?? null;
  }

  /** Resolves once this machine's copy has that position, or a later one, since asking the primary's health writes. */
  reached(position: string): Promise<Health> {
    return this.until((health) => BigInt(`0x${health.position}`) >= BigInt(`0x${position}`));
  }

  async until(is: (health: Health) => boolean): Promise<Health> {
    const giveUpAt = Date.now() + 60_000;
    for (;;) {
      const health = await this.health();
      if (health && is(health)) {
        this.#app = this.#appPid();
        return health;
      }
      if (Date.now() > giveUpAt)
        throw new Error(
          `${this.address} did not get there: ${JSON.stringify(health)}\n${this.log().slice(-3_000)}`,
        );
      await sleep(25);
    }
  }

  serving = () => this.until(({ status }) => status === "ok");
  leads = () => this.until(({ role, status }) => role === "primary" && status === "ok");

  #appPid(): number {
    return this.#child?.pid ? (children(this.#child.pid)[0] ?? 0) : 0;
  }

  #signal(signal: NodeJS.Signals, ...pids: (number | undefined)[]): void {
    for (const pid of pids) {
      try {
        if (pid) process.kill(pid, signal);
      } catch {}
    }
  }

  /** Simulates a power failure: kills LiteFS and Deed at once, without cleanup. */
  async kill(): Promise<void> {
    const child = this.#child;
    this.#signal("SIGKILL", child?.pid, this.#app || this.#appPid());
    if (child) await this.#gone(child);
    this.#unmount();
  }

  freeze(): void {
    this.#signal("SIGSTOP", this.#app, this.#child?.pid);
  }

  thaw(): void {
    this.#signal("SIGCONT", this.#child?.pid, this.#app);
  }

  /** Sends SIGTERM to LiteFS, as systemd does. Resolves with its exit code. */
  async stop(): Promise<number | null> {
    const child = this.#child;
    if (!child) return null;
    this.#signal("SIGTERM", child.pid);
    const late = setTimeout(() => this.#signal("SIGKILL", child.pid, this.#app), 10_000);
    const code = await this.#gone(child);
    clearTimeout(late);
    this.#unmount();
    return code;
  }

  /** Cleans up when the test process ends, whatever its result. */
  clear(): void {
    this.#signal("SIGKILL", this.#child?.pid, this.#app);
    this.#unmount();
  }

  async #gone(child: ChildProcess): Promise<number | null> {
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
    return child.exitCode;
  }

  #unmount(): void {
    const mount = join(this.folder, "mount");
    if (!readFileSync("/proc/mounts", "utf8").includes(` ${mount} `)) return;
    spawnSync("fusermount3", ["-u", "-z", mount], { stdio: "ignore" });
  }
}
