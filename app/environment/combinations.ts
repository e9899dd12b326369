/** Variables that mean nothing alone. `together` must be set where `leader` is; each of `only` may be set only there. */
const GROUPS = [
  { leader: "SMTP_URL", together: ["MAIL_FROM"], only: ["MAIL_FROM"] },
  {
    leader: "OIDC_ISSUER",
    together: ["OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET"],
    only: ["OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET", "OIDC_LABEL"],
  },
  { leader: "METRICS", together: [], only: ["METRICS_TOKEN"] },
  {
    // No node can make them up, because they must be the same on all.
    leader: "LITEFS_URL",
    together: ["CLUSTER_SECRET", "SESSION_SECRET", "SIGNING_KEY", "BASE_URL", "DATABASE_PATH"],
    only: [],
  },
];

/** One line for each variable that is missing beside another. */
export function problemsBetween(given: Record<string, string>): string[] {
  return GROUPS.flatMap(({ leader, together, only }) => {
    if (given[leader] !== undefined)
      return together
        .filter((name) => given[name] === undefined)
        .map((name) => `${name} must be set where ${leader} is`);
    const [stray] = only.filter((name) => given[name] !== undefined);
    return stray ? [`${leader} must be set where ${stray} is`] : [];
  });
}
