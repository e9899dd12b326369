export const provePath = (name: string): string => `/zones/${name}?prove`;

/** Null for any other path. */
export const nameToProve = (path: string): string | null =>
  /^\/zones\/([a-z0-9_.-]{1,253})\?prove$/.exec(path)?.[1] ?? null;

/** A claim on its domain's page, which otherwise shows the current claim. */
export const claimPath = (domainId: string, claimId: string): string =>
  `/domains/${domainId}?claim=${claimId}`;
