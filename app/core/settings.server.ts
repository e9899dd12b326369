import type { Env } from "#app/environment/env.server.ts";
import { buildFacts } from "#db/package-file.ts";

/** Who may open an account: addresses and @domains in lower case, "open" for anybody, empty for nobody. */
type SignUp = "open" | readonly string[];

export const settingsOf = (env: Env, signUp: SignUp = "open") => ({
  ...buildFacts(),
  baseUrl: env.BASE_URL,
  docsUrl: env.DOCS_URL,
  challengeLabel: env.CHALLENGE_LABEL,
  tokenPrefix: env.TOKEN_PREFIX,
  trustAnchors: env.DNS_TRUST_ANCHORS,
  witnesses: env.DNS_RESOLVERS.map((witness) => witness.name),
  firstReadAfterMs: env.FIRST_READ_SECONDS * 1_000,
  openClaims: env.LIMIT_OPEN_CLAIMS,
  domains: env.LIMIT_DOMAINS,
  signUp,
  admins: env.ADMIN,
  backHosts: env.BACK_HOSTS,
});

export type Settings = ReturnType<typeof settingsOf>;
