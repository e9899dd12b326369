import { Cron } from "croner";

/** Runs `work` on the cron `pattern` (with seconds, UTC), never twice at once. Errors go to `onError`. */
export function startJob(
  pattern: string,
  work: () => Promise<void>,
  onError: (error: unknown) => void,
) {
  let current: Promise<void> | null = null;
  const run = () => {
    current ??= work()
      .catch(onError)
      .finally(() => {
        current = null;
      });
    return current;
  };
  const cron = new Cron(pattern, { protect: true, utcOffset: 0, unref: true, catch: onError }, run);
  return {
    /** Starts no further runs; resolves once the current one has finished. */
    async stop(): Promise<void> {
      cron.stop();
      await current;
    },
  };
}

/** Repeats `step` until it returns false or `signal` aborts, yielding to the event loop in between. */
export async function repeatUntilDone(
  step: () => Promise<boolean>,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted && (await step())) await new Promise((resolve) => setImmediate(resolve));
}
