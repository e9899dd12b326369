import {
  constants,
  copyFileSync,
  createReadStream,
  createWriteStream,
  existsSync,
  linkSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import Database from "better-sqlite3";
import { isBusy, removeDatabase, withFile } from "./client.ts";
import { schemaOf } from "./migrate.ts";
import { createPrivate, giveToFolderOwner } from "./ownership.ts";

/** Says that the backup or the file to restore is not usable; nothing was replaced. */
export class BackupError extends Error {}

/** The pages that are copied in one step; the service can write between steps. */
const PAGES_PER_STEP = 1_000;

function requireDeedDatabase(path: string, db: Database.Database): void {
  const tables = "select count(*) from sqlite_master where name in ('accounts', 'claims')";
  if (db.prepare(tables).pluck().get() !== 2)
    throw new BackupError(`${path} is not a database of Deed`);
}

const isEmpty = (db: Database.Database) =>
  db.prepare("select count(*) from sqlite_master").pluck().get() === 0;

/** Turns SQLite's errors about `path`, and that of a full disk, into a BackupError. */
export function asBackupError(path: string, error: unknown): unknown {
  const { code = "" } = error as NodeJS.ErrnoException;
  if (/^(SQLITE_FULL|ENOSPC|EDQUOT)$/.test(code)) return new BackupError("the disk is full");
  return error instanceof Database.SqliteError
    ? new BackupError(`${path} cannot be read as a database: ${error.message}`)
    : error;
}

/** Throws a BackupError unless the file is an undamaged database of Deed. */
export function checkBackup(path: string, alsoCheck?: (db: Database.Database) => unknown): void {
  try {
    withFile(path, { readonly: true, fileMustExist: true }, (db) => {
      const result = db.pragma("integrity_check", { simple: true });
      if (result !== "ok") throw new BackupError(`${path} is damaged: ${result}`);
      const { length } = db.pragma("foreign_key_check") as unknown[];
      if (length > 0) throw new BackupError(`${path} has ${length} broken references`);
      requireDeedDatabase(path, db);
      alsoCheck?.(db);
    });
  } catch (error) {
    throw asBackupError(path, error);
  }
}

/** Copies a database, even one in use; the copy is in journal mode DELETE, for LiteFS. Throws a BackupError. */
export async function backUp(from: string, to: string): Promise<void> {
  if (!existsSync(from)) throw new BackupError(`${from} does not exist`);
  let source: Database.Database | null = null;
  try {
    source = new Database(from, { readonly: true, fileMustExist: true, timeout: 5_000 });
    requireDeedDatabase(from, source);
    createPrivate(to);
    await source.backup(to, { progress: () => PAGES_PER_STEP });
  } catch (error) {
    throw asBackupError(from, error);
  } finally {
    source?.close();
  }
  finishBackup(to);
}

/** Copies a backup to the new private file `to` and checks the copy, since SQLite would write next to the backup. */
export async function stageBackup(backup: string, to: string): Promise<void> {
  createPrivate(to);
  try {
    // Since Node 22, `copyFile` would copy the backup's owner too.
    await pipeline(createReadStream(backup), createWriteStream(to, { flags: "r+" }));
    finishBackup(to, schemaOf);
  } catch (error) {
    if (error instanceof Error) error.message = error.message.replaceAll(to, backup);
    throw asBackupError(backup, error);
  }
}

/** Takes a copy out of WAL mode and checks it; deletes it if it is damaged. Throws a BackupError. */
export function finishBackup(path: string, alsoCheck?: Parameters<typeof checkBackup>[1]): void {
  try {
    withFile(path, {}, (copy) => copy.pragma("journal_mode = DELETE"));
    checkBackup(path, alsoCheck);
  } catch (error) {
    removeDatabase(path);
    throw asBackupError(path, error);
  }
}

/** Gives the file a second name, or a copy where the file system has no hard links. */
function linkOrCopy(path: string, oldCopy: string): void {
  try {
    linkSync(path, oldCopy);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") throw error;
    copyFileSync(path, oldCopy, constants.COPYFILE_EXCL);
  }
  giveToFolderOwner(oldCopy);
}

/** Returns the path of the old database's copy; null if there was none. Throws a BackupError, also if it is in use. */
export async function restoreInto(target: string, backup: string, oldCopy: string) {
  const stagedPath = `${target}.restore`;
  rmSync(stagedPath, { force: true });
  try {
    await stageBackup(backup, stagedPath);
    if (!existsSync(target)) {
      // SQLite would write that log's contents into the restored database.
      if (statSync(`${target}-wal`, { throwIfNoEntry: false })?.size)
        throw new BackupError(
          `${target}-wal is the log of a database that is not here: move it away`,
        );
      renameSync(stagedPath, target);
      return null;
    }
    withFile(target, { timeout: 0 }, (old) => {
      // A WAL database cannot leave WAL mode while another connection has it open, even an idle one.
      old.pragma("journal_mode = DELETE");
      old.exec("BEGIN EXCLUSIVE");
      if (!isEmpty(old)) requireDeedDatabase(target, old);
      // The old file is not moved, so that a database has the target's name at all times.
      linkOrCopy(target, oldCopy);
      try {
        renameSync(stagedPath, target);
      } catch (error) {
        rmSync(oldCopy);
        throw error;
      }
    });
    return oldCopy;
  } catch (error) {
    if (isBusy(error)) throw new BackupError(`${target} is in use: stop the service first`);
    if (error instanceof Database.SqliteError)
      throw new BackupError(`${target} is not a database (${error.message}): move it away first`);
    throw error;
  } finally {
    rmSync(stagedPath, { force: true });
  }
}

/** Returns a backup's name; names sort by time. */
export const backupName = (now: Date) => `deed-${now.toISOString().replaceAll(/[:.]/g, "-")}.db`;

const BACKUP_NAME = /^deed-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z\.db$/;

/** Lists the backups in a folder, newest first, without files of other names. */
const backupsIn = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && BACKUP_NAME.test(entry.name))
    .map(({ name }) => name)
    .sort()
    .reverse();

export function deleteOlderBackups(folder: string, newest: string, keep: number): void {
  const older = backupsIn(folder).filter((name) => name !== newest);
  for (const name of older.slice(keep - 1)) rmSync(join(folder, name));
}

/** Returns the time of the newest backup in epoch milliseconds; without one, the folder's time, null without the folder. */
export function newestBackupAt(folder: string): number | null {
  try {
    const [newest = ""] = backupsIn(folder);
    return statSync(join(folder, newest)).mtimeMs;
  } catch {
    return null;
  }
}
