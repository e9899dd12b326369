export const provePath = (name: string): string => `/zones/${name}?prove`;

/** Returns the name in a path of `provePath`; null for any other path. */
export const nameToProve = (path: string): string | null =>
  /^\/zones\/([a-z0-9_.-]{1,253})\?prove$/.exec(path)?.[1] ?? null;

/** Returns the path of the domain's page that shows this claim instead of the current one. */
export const claimPath = (domainId: string, claimId: string): string =>
  `/domains/${domainId}?claim=${claimId}`;
