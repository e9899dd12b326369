import { accessSync, constants, statSync } from "node:fs";
import Database from "better-sqlite3";
import type { Env } from "#app/env.server.ts";
import { RefusedDatabase, schemaOf } from "#db/migrate.ts";
import { checkNotLost, traceFile } from "#db/open-own.ts";
import { about, type Probe, withAdvice } from "./finding.ts";

const { ok, broken } = about("Database");

/** Whether the database can be opened, and how its schema compares with this version's. Changes nothing. */
export const examineDatabase =
  ({ DATABASE_PATH: path, DATA_DIR, cluster }: Env): Probe =>
  () => {
    // Unlike existsSync, throws if the folder is closed to this user.
    const isThere = statSync(path, { throwIfNoEntry: false }) !== undefined;
    if (!isThere && cluster)
      return [
        broken(`${path} is missing`, "Start LiteFS: it mounts the folder and brings the copy."),
      ];
    if (isThere) accessSync(path, constants.R_OK);
    let db: Database.Database | null = null;
    try {
      checkNotLost(path, traceFile({ DATA_DIR }));
      if (!isThere) return [ok(`${path} does not exist yet: the first start makes it`)];
      db = new Database(path, { readonly: true, fileMustExist: true });
      const { number, known } = schemaOf(db);
      if (number === known) return [ok(`${path} has schema ${number}, this version's`)];
      return [
        ok(
          `${path} has schema ${number}: the next start migrates it to ${known}; back it up before`,
        ),
      ];
    } catch (error) {
      if (error instanceof RefusedDatabase)
        return [broken(...withAdvice(error.message, "restore a backup, or correct DATABASE_PATH"))];
      const reason = error instanceof Error ? error.message : String(error);
      return [
        broken(
          `${path} cannot be opened: ${reason}`,
          "Restore a backup (`deed restore FILE`), or correct DATABASE_PATH.",
        ),
      ];
    } finally {
      db?.close();
    }
  };
