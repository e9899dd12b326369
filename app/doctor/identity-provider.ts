import { discoverProvider } from "#app/auth/oidc-client.server.ts";
import type { Env } from "#app/env.server.ts";
import { about, type Probe } from "./finding.ts";

const { ok, broken } = about("OpenID Connect");
const TIMEOUT_SECONDS = 5;

function reasonOf(error: unknown): string {
  const { message, cause, code } = error as Error & { code?: string };
  const behind = cause instanceof Error ? cause : null;
  return [message, behind?.message || (behind as { code?: string } | null)?.code || code]
    .filter(Boolean)
    .join(": ");
}

/** Whether the identity provider's discovery document can be read, as sign-ins need it. */
export const examineIdentityProvider =
  (env: Env): Probe =>
  async () => {
    if (!env.OIDC_ISSUER) return [];
    try {
      await discoverProvider(env, TIMEOUT_SECONDS);
      return [ok(`${env.OIDC_ISSUER} answers`)];
    } catch (error) {
      return [
        broken(
          `${env.OIDC_ISSUER}: ${reasonOf(error)}`,
          "Check OIDC_ISSUER: <issuer>/.well-known/openid-configuration must answer this machine and name the same issuer. Sign-in by mail works meanwhile.",
        ),
      ];
    }
  };
