import { existsSync } from "node:fs";
import Database from "better-sqlite3";
import type { Env } from "#app/env.server.ts";
import { RefusedDatabase, schemaOf } from "#db/migrate.ts";
import { about, type Probe } from "./finding.ts";

const { ok, broken } = about("Database");

/** Whether the database can be opened, and how its schema compares with this version's. Changes nothing. */
export const examineDatabase =
  ({ DATABASE_PATH: path, cluster }: Env): Probe =>
  () => {
    if (!existsSync(path)) {
      return cluster
        ? [broken(`${path} is missing`, "Start LiteFS: it mounts the folder and brings the copy.")]
        : [ok(`${path} does not exist yet: the first start makes it`)];
    }
    let db: Database.Database | null = null;
    try {
      db = new Database(path, { readonly: true, fileMustExist: true });
      const { number, known } = schemaOf(db);
      if (number === known) return [ok(`${path} has schema ${number}, this version's`)];
      return [
        ok(
          `${path} has schema ${number}: the next start migrates it to ${known}; back it up before`,
        ),
      ];
    } catch (error) {
      if (error instanceof RefusedDatabase) {
        const [text = error.message, advice = "Restore a backup, or correct DATABASE_PATH"] =
          error.message.split(/: (.*)/s);
        return [broken(text, `${advice.charAt(0).toUpperCase()}${advice.slice(1)}.`)];
      }
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
