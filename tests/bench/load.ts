import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { Rejected } from "./rounds.ts";

/** A path to GET, and a text that its body must contain. */
export type Target = { path: string; expects: string };

export type LoadOrder = { origin: string; targets: readonly Target[] };
/** `unexpected`: the first answer that was not a 200 with the expected body. */
export type LoadReport = { perSecond: number; unexpected: string | null };

export type Load = {
  /** Measures requests a second, the targets one after another. Throws Rejected on anything unexpected. */
  rate(origin: string, targets: readonly Target[]): Promise<number>;
  stop(): void;
};

export function startLoad(): Load {
  const child = fork(join(import.meta.dirname, "load-process.ts"), {
    execArgv: ["--import", "tsx"],
  });
  const stop = () => child.kill("SIGKILL");
  process.once("exit", stop);
  return {
    async rate(origin, targets) {
      const answered = once(child, "message");
      child.send({ origin, targets } satisfies LoadOrder);
      const [{ perSecond, unexpected }] = (await answered) as [LoadReport];
      if (unexpected !== null) throw new Rejected(unexpected);
      return perSecond;
    },
    stop() {
      process.removeListener("exit", stop);
      stop();
    },
  };
}
