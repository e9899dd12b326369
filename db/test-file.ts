import { createHash } from "node:crypto";
import { dirname, join } from "node:path";
import { type Db, removeDatabase, type Tx } from "./client.ts";

/** A name for a test key's world in files and addresses, which does not reveal the key. */
export const worldOf = (keyId: string): string =>
  createHash("sha256").update(`test world ${keyId}`).digest("hex").slice(0, 24);

/** Next to the database, because a LiteFS mount has no folders. */
export const testFile = (database: string, world: string): string =>
  join(dirname(database), `test-${world}.db`);

/** `id`: of a test key; or, from before 0.3, of an account, which had one world for all its test keys. */
export const removeTestFile = (handle: Db | Tx, id: string): void =>
  removeDatabase(testFile((handle as Db).$client.name, worldOf(id)));
