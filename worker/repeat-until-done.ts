/** Repeats `step` while it says there may be more, letting the event loop turn in between, until `signal` aborts. */
export async function repeatUntilDone(
  step: () => Promise<boolean>,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted && (await step())) await new Promise((resolve) => setImmediate(resolve));
}
