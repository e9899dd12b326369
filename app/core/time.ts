export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** An instant in the API's format: ISO 8601, UTC, milliseconds. */
export const iso = (ms: number): string => new Date(ms).toISOString();

export const isoOrNull = (ms: number | null): string | null => (ms === null ? null : iso(ms));

type Iso<T> = T extends number ? string : null;

export const isoOf = <R extends object, K extends keyof R>(row: R, ...names: K[]) =>
  Object.fromEntries(names.map((name) => [name, isoOrNull(row[name] as number | null)])) as {
    [N in K]: Iso<R[N]>;
  };

/** `now`, or `start` if the clock has since gone back. */
export const notBefore = (start: number, now: number): number => Math.max(start, now);

export async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let leave = () => {};
  const left = new Promise<never>((_, reject) => (leave = () => reject(signal.reason)));
  signal.addEventListener("abort", leave, { once: true });
  try {
    return await Promise.race([work, left]);
  } finally {
    signal.removeEventListener("abort", leave);
  }
}

/** Not AbortSignal.any with AbortSignal.timeout: Node 24 collects these with their timer, unless somebody listens. */
export async function withTimeLimit<T>(
  ms: number,
  signal: AbortSignal | undefined,
  work: (late: AbortSignal) => Promise<T>,
): Promise<T> {
  const late = new AbortController();
  const end = () => late.abort();
  const timer = setTimeout(end, ms);
  signal?.addEventListener("abort", end, { once: true });
  if (signal?.aborted) end();
  try {
    return await work(late.signal);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", end);
  }
}
