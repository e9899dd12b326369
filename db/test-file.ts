import { createHash } from "node:crypto";
import { dirname, join } from "node:path";
import { type Db, removeDatabase, type Tx } from "./client.ts";

/** Of a test key: names its world in files and addresses, and tells nothing of it. */
export const worldOf = (keyId: string): string =>
  createHash("sha256").update(`test world ${keyId}`).digest("hex").slice(0, 24);

/** Beside the database, because a LiteFS mount has no folders. */
export const testFile = (database: string, world: string): string =>
  join(dirname(database), `test-${world}.db`);

/** `id`: a test key's, or of the account that had one for all its test keys before 0.3. */
export const removeTestFile = (handle: Db | Tx, id: string): void =>
  removeDatabase(testFile((handle as Db).$client.name, worldOf(id)));
