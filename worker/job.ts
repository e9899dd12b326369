import { Cron } from "croner";

/** Starts a job. `every` is a pattern with seconds, in UTC. A job never runs twice at once. */
export function startJob(every: string, work: () => Promise<void>, fail: (error: unknown) => void) {
  let current: Promise<void> | null = null;
  const run = () => {
    current ??= work()
      .catch(fail)
      .finally(() => (current = null));
    return current;
  };
  const cron = new Cron(every, { protect: true, utcOffset: 0, unref: true, catch: fail }, run);
  return {
    run,
    async stop(): Promise<void> {
      cron.stop();
      await current;
    },
  };
}

/** Repeats a step until nothing is left to do, and yields to the event loop in between. */
export async function repeatUntilDone(step: () => Promise<boolean>, signal: AbortSignal) {
  while (!signal.aborted && (await step())) await new Promise((resolve) => setImmediate(resolve));
}
