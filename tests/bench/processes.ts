import { type ChildProcess, fork, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

export type Started = { pid: number; stop(): Promise<void> };

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGKILL");
  await once(child, "exit");
}

const endWithThis = (child: ChildProcess) => {
  const stop = () => child.kill("SIGKILL");
  process.once("exit", stop);
  child.once("exit", () => process.removeListener("exit", stop));
};

/** Starts `floors/<script>` on plain Node, as the product is started, and waits for its first output. */
export async function startFloor(script: string, args: readonly string[]): Promise<Started> {
  const child = spawn(process.execPath, [join(import.meta.dirname, "floors", script), ...args], {
    env: { PATH: process.env.PATH, NODE_ENV: "production" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  endWithThis(child);
  await Promise.race([
    once(child.stdout, "data"),
    once(child, "exit").then(() => {
      throw new Error(`${script} ended at its start`);
    }),
  ]);
  return { pid: child.pid ?? 0, stop: () => end(child) };
}

export type Asked<Request, Reply> = {
  ask(request: Request): Promise<Reply>;
  stop(): Promise<void>;
};

/** Starts a load generator of this folder in its own process. Ask it one thing at a time. */
export function startLoad<Request extends object, Reply>(script: string): Asked<Request, Reply> {
  const child = fork(join(import.meta.dirname, script), {
    execArgv: ["--import", "tsx"],
    env: { ...process.env, NODE_ENV: "production" },
  });
  endWithThis(child);
  let hear: { resolve(reply: Reply): void; reject(error: Error): void } | null = null;
  child.on("message", (reply: Reply) => hear?.resolve(reply));
  child.once("exit", () => hear?.reject(new Error(`${script} ended`)));
  return {
    ask: (request) =>
      new Promise((resolve, reject) => {
        hear = { resolve, reject };
        child.send(request);
      }),
    stop: () => end(child),
  };
}
