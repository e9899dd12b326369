/** The named rate limits (`RATE_LIMIT_…`), so large that no test reaches them. */
export const roomy = (...names: string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [`RATE_LIMIT_${name}`, "100000000/1"]));
