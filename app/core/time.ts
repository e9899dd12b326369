export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

export const iso = (ms: number): string => new Date(ms).toISOString();

export const isoOrNull = (ms: number | null): string | null => (ms === null ? null : iso(ms));

type Iso<T> = T extends number ? string : null;

export const isoFields = <R extends object, K extends keyof R>(row: R, ...names: K[]) =>
  Object.fromEntries(names.map((name) => [name, isoOrNull(row[name] as number | null)])) as {
    [N in K]: Iso<R[N]>;
  };

/** Returns `now`, or `start` if the clock has since gone back. */
export const notBefore = (start: number, now: number): number => Math.max(start, now);

export async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let rejectOnAbort = () => {};
  const aborted = new Promise<never>((_, reject) => (rejectOnAbort = () => reject(signal.reason)));
  signal.addEventListener("abort", rejectOnAbort, { once: true });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", rejectOnAbort);
  }
}

/** Avoids AbortSignal.any with AbortSignal.timeout: Node 24 may collect both as garbage, unless somebody listens. */
export async function withTimeLimit<T>(
  ms: number,
  signal: AbortSignal | undefined,
  work: (timeLimit: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const abort = () => controller.abort();
  const timer = setTimeout(abort, ms);
  signal?.addEventListener("abort", abort, { once: true });
  if (signal?.aborted) abort();
  try {
    return await work(controller.signal);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
  }
}
