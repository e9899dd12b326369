import { launch } from "../support/service.ts";

export type Daemon = {
  /** Stops the server: SIGTERM, then SIGKILL after two seconds. */
  stop(): Promise<void>;
  /** Its output, for the message about a failed start. */
  printed(): string;
  running(): boolean;
};

/** Runs a server in the foreground. */
export function runDaemon(program: string, args: string[]): Daemon {
  const { child, printed, ended } = launch(program, args);
  return {
    printed,
    running: () => child.exitCode === null && child.signalCode === null,
    stop: async () => {
      child.kill("SIGTERM");
      const timer = setTimeout(() => child.kill("SIGKILL"), 2_000);
      await ended;
      clearTimeout(timer);
    },
  };
}
