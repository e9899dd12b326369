import { Cron } from "croner";

/** `pattern` includes seconds, in UTC. A job never runs twice at once. */
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
    run,
    async stop(): Promise<void> {
      cron.stop();
      await current;
    },
  };
}

/** Yields to the event loop between steps. */
export async function repeatUntilDone(step: () => Promise<boolean>, signal: AbortSignal) {
  while (!signal.aborted && (await step())) await new Promise((resolve) => setImmediate(resolve));
}
