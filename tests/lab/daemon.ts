import { spawn } from "node:child_process";

export type Daemon = {
  /** Stops the server: SIGTERM, then SIGKILL after two seconds. */
  stop(): Promise<void>;
  /** Its output, for the message about a failed start. */
  printed(): string;
  running(): boolean;
};

const PATIENCE = 2_000;
const KEPT = 20_000;

/** Runs a server in the foreground. */
export function runDaemon(program: string, args: string[]): Daemon {
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"] });
  let text = "";
  const gone = new Promise<void>((resolve) => {
    child.once("exit", () => resolve());
    child.once("error", (error) => {
      text += error.message;
      resolve();
    });
  });
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => {
      text = (text + chunk.toString()).slice(-KEPT);
    });
  const kill = () => child.kill("SIGKILL");
  return {
    printed: () => text,
    running: () => child.pid !== undefined && child.exitCode === null && child.signalCode === null,
    stop: async () => {
      child.kill("SIGTERM");
      const timer = setTimeout(kill, PATIENCE);
      await gone;
      clearTimeout(timer);
    },
  };
}
