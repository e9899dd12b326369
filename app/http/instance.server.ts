export const SHUTDOWN_MS = 5_000;

type Stop = () => void | Promise<void>;

/** The function is on globalThis, because in development each change imports the build again. */
const STOP = Symbol.for("deed.stop");
const registry = globalThis as { [STOP]?: Stop };

/** Stops the earlier instance, if development rebuilt the service. Returns whether this is the first. */
export async function beginInstance(): Promise<boolean> {
  const previous = registry[STOP];
  await previous?.();
  registry[STOP] = () => process.exit(0);
  if (previous) return false;
  let isStopping = false;
  for (const signal of ["SIGTERM", "SIGINT"] as const)
    process.once(signal, () => {
      if (isStopping) return;
      isStopping = true;
      setTimeout(() => process.exit(0), SHUTDOWN_MS - 1_000).unref();
      void registry[STOP]?.();
    });
  return true;
}

export function stopWith(stop: Stop): void {
  registry[STOP] = stop;
}
