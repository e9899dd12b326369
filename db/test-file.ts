import { createHash } from "node:crypto";
import { dirname, join } from "node:path";
import { type Db, removeDatabase, type Tx } from "./client.ts";

/** Of an account: names its world in files and addresses, and tells nothing of it. */
export const worldOf = (accountId: string): string =>
  createHash("sha256").update(`test world ${accountId}`).digest("hex").slice(0, 24);

/** Beside the database, because a LiteFS mount has no folders. */
export const testFile = (database: string, world: string): string =>
  join(dirname(database), `test-${world}.db`);

export const removeTestFile = (handle: Db | Tx, accountId: string): void =>
  removeDatabase(testFile((handle as Db).$client.name, worldOf(accountId)));
