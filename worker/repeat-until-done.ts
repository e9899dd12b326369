/** Repeats `step` until it returns false or `signal` aborts, yielding to the event loop in between. */
export async function repeatUntilDone(
  step: () => Promise<boolean>,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted && (await step())) await new Promise((resolve) => setImmediate(resolve));
}
