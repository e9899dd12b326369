/** Where a sign-in leads that was asked for to prove a domain: its public page, marked so. `name` is ASCII. */
export const provePath = (name: string): string => `/zones/${name}?prove`;

/** The domain that a sign-in leading to `path` was asked for to prove; null for any other path. */
export const nameToProve = (path: string): string | null =>
  /^\/zones\/([a-z0-9_.-]{1,253})\?prove$/.exec(path)?.[1] ?? null;
