import { existsSync } from "node:fs";
import { hasRow, signUpOf } from "#app/core/accounts/sign-up.server.ts";
import type { Env } from "#app/environment/env.server.ts";
import { isReachable } from "#app/environment/warnings.ts";
import { type Db, withFile } from "#db/client.ts";
import { about, type Finding } from "./finding.ts";

const { ok, warning } = about("Sign-up");

/** Reads from the database; `file` is null if it does not exist yet. */
const inspect = <T>({ DATABASE_PATH: path }: Env, read: (file: Db["$client"] | null) => T): T =>
  existsSync(path) ? withFile(path, { readonly: true }, read) : read(null);

/** Says what happens at a public address if SIGN_UP is not set. */
export function examineSignUp(env: Env): Finding[] {
  if (env.SIGN_UP !== undefined || !isReachable(env)) return [];
  if (inspect(env, (file) => signUpOf(env, file)) !== "open")
    return ok(
      "closed to strangers: SIGN_UP is not set, and a database created at a public address stays closed",
    );
  return warning(
    `SIGN_UP is not set and ${env.OIDC_ISSUER ? "OIDC_ISSUER is" : "the database had accounts before"}, so anybody who reaches the service may open an account`,
    "Set it to closed, or to addresses and @domains; or to open, if that is intended.",
  );
}

/** Warns if accounts exist but BASE_URL is not set: this process may not have read the settings. */
export function examineAddress(env: Env): Finding[] {
  if (env.isBaseUrlGiven || !inspect(env, (file) => file && hasRow(file, "accounts"))) return [];
  return about("Configuration").warning(
    "there are accounts, and BASE_URL is not set",
    "Is the file with the settings being read? If so, set BASE_URL to the address that people use.",
  );
}
