import { existsSync } from "node:fs";
import { signUpOf } from "#app/core/accounts/sign-up.server.ts";
import type { Env } from "#app/environment/env.server.ts";
import { isReachable } from "#app/environment/warnings.ts";
import { withFile } from "#db/client.ts";
import { about, type Finding } from "./finding.ts";

const { ok, warning } = about("Sign-up");

/** What it means at a public address that SIGN_UP is not set. */
export function examineSignUp(env: Env): Finding[] {
  if (env.SIGN_UP !== undefined || !isReachable(env)) return [];
  const path = env.DATABASE_PATH;
  const isOpen = existsSync(path)
    ? withFile(path, { readonly: true }, (file) => signUpOf(env, file) === "open")
    : signUpOf(env, null) === "open";
  if (!isOpen) return ok("closed to strangers, because SIGN_UP is not set and the database is new");
  return warning(
    `SIGN_UP is not set and ${env.OIDC_ISSUER ? "OIDC_ISSUER is" : "the database had accounts before"}, so anybody who reaches the service may open an account`,
    "Set it to closed, or to addresses and @domains; or to open, if that is meant.",
  );
}
