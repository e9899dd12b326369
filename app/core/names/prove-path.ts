export const provePath = (name: string): string => `/zones/${name}?prove`;

export const nameToProve = (path: string): string | null =>
  /^\/zones\/([a-z0-9_.-]{1,253})\?prove$/.exec(path)?.[1] ?? null;

export const claimPath = (domainId: string, claimId: string): string =>
  `/domains/${domainId}?claim=${claimId}`;
