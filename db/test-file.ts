import { createHash } from "node:crypto";
import { dirname, join } from "node:path";
import { type Db, removeDatabase, type Tx } from "./client.ts";

/** Returns the name of a test key's world in files and addresses, which does not reveal the key. */
export const worldOf = (keyId: string): string =>
  createHash("sha256").update(`test world ${keyId}`).digest("hex").slice(0, 24);

/** Returns the file of a world, which is next to the database, because a LiteFS mount has no folders. */
export const testFile = (database: string, world: string): string =>
  join(dirname(database), `test-${world}.db`);

/** Removes the world of a test key, or of an account: before 0.3, all test keys of an account shared one world. */
export const removeTestFile = (handle: Db | Tx, id: string): void =>
  removeDatabase(testFile((handle as Db).$client.name, worldOf(id)));
