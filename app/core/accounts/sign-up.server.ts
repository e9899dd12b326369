import type { Env } from "#app/environment/env.server.ts";
import { isReachable } from "#app/environment/warnings.ts";
import { type Db, isWritable, write } from "#db/client.ts";
import { signUpClosed } from "#db/schema.ts";

type DatabaseFile = Db["$client"];

/** Whether a table has a row. Works for a database of an earlier version, which may lack the table. */
export const hasRow = (file: DatabaseFile, table: "accounts" | "sign_up_closed") =>
  file.prepare("select 1 from sqlite_master where name = ?").get(table) !== undefined &&
  file.prepare(`select 1 from ${table}`).get() !== undefined;

/** Returns SIGN_UP or its default: a database that begins at a public address stays closed to strangers. `file` may be null. */
export function signUpOf(env: Env, file: DatabaseFile | null): "open" | string[] {
  if (env.SIGN_UP !== undefined) return env.SIGN_UP;
  if (!isReachable(env) || env.OIDC_ISSUER !== undefined) return "open";
  const isClosed = !file || hasRow(file, "sign_up_closed") || !hasRow(file, "accounts");
  return isClosed ? [] : "open";
}

/** Stores that sign-up began closed, because the first account would change the default. */
export async function resolveSignUp(env: Env, db: Db): Promise<"open" | string[]> {
  const signUp = signUpOf(env, db.$client);
  if (env.SIGN_UP === undefined && signUp !== "open" && isWritable(db))
    await write(db, (tx) => tx.insert(signUpClosed).values({ id: 1 }).onConflictDoNothing().run());
  return signUp;
}
