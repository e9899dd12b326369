/** Longest a stop may take before open connections are cut, in milliseconds. */
export const SHUTDOWN_MS = 5_000;

type Stop = () => void | Promise<void>;

/** Stops the running instance. On globalThis: in development every change imports the build again. */
const STOP = Symbol.for("deed.stop");
const registry = globalThis as { [STOP]?: Stop };

/**
 * Stops the previous instance, if development rebuilt the service; the first instance listens for signals. Returns
 * whether this is the first.
 */
export async function beginInstance(): Promise<boolean> {
  const previous = registry[STOP];
  await previous?.();
  // A replica that waits for its schema has nothing to close.
  registry[STOP] = () => process.exit(0);
  if (previous) return false;
  let isStopping = false;
  for (const signal of ["SIGTERM", "SIGINT"] as const)
    process.once(signal, () => {
      if (isStopping) return;
      isStopping = true;
      // Connections still open then are cut, with exit code 0.
      setTimeout(() => process.exit(0), SHUTDOWN_MS - 1_000).unref();
      void registry[STOP]?.();
    });
  return true;
}

/** Sets how this instance is stopped. */
export function stopWith(stop: Stop): void {
  registry[STOP] = stop;
}
