import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { Rejected } from "./rounds.ts";

/** A path to GET, and a text that its body must contain. */
export type Target = { path: string; expects: string };

export type LoadOrder = {
  origin: string;
  /** Requested one after another, repeatedly. */
  targets: readonly Target[];
  headers: Record<string, string>;
  connections: number;
  seconds: number;
  /** The Content-Encoding every answer must have. */
  encoding: string | null;
};

export type LoadReport = {
  requests: number;
  seconds: number;
  bodyBytes: number;
  /** The first answer that was not a 200 with the expected body and encoding. */
  unexpected: string | null;
};

export type Load = {
  /** Measures requests a second over kept connections. Throws Rejected on anything unexpected. */
  rate(order: Partial<LoadOrder> & Pick<LoadOrder, "origin" | "targets">): Promise<number>;
  stop(): void;
};

export const CONNECTIONS = 16;
export const ROUND_SECONDS = 3;

/** Starts the load generator in its own process. */
export function startLoad(): Load {
  const child = fork(join(import.meta.dirname, "load-process.ts"), {
    execArgv: ["--import", "tsx"],
    serialization: "advanced",
  });
  const stop = () => child.kill("SIGKILL");
  process.once("exit", stop);
  return {
    async rate(order) {
      const whole: LoadOrder = {
        headers: {},
        connections: CONNECTIONS,
        seconds: ROUND_SECONDS,
        encoding: null,
        ...order,
      };
      const answered = once(child, "message");
      child.send(whole);
      const [report] = (await answered) as [LoadReport];
      if (report.unexpected !== null) throw new Rejected(report.unexpected);
      return report.requests / report.seconds;
    },
    stop() {
      process.removeListener("exit", stop);
      stop();
    },
  };
}
