import { createWriteStream, existsSync, readdirSync, renameSync, rmdirSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream } from "node:stream/web";
import { type Command, InvalidArgumentError } from "commander";
import type { Env } from "#app/environment/env.server.ts";
import { asBackupError, backUp, backupName, deleteOlderBackups, finishBackup } from "#db/backup.ts";
import { removeDatabase } from "#db/client.ts";
import { createPrivate, makePrivateFolder } from "#db/ownership.ts";
import { loadEnvironment } from "../support/environment.ts";
import { CommandError, messageOf, UsageError } from "../support/output.ts";

export const HELP = `
Prints the path of the backup. It has mode 0600 and the owner of its folder. An existing file is never replaced. In a
cluster the copy is taken from this node's LiteFS.

Examples:
  deed backup
  deed backup --keep 7
  deed backup /mnt/backups/before-the-upgrade.db`;

export const register = (command: Command) =>
  command
    .description("copy the database, even while it is in use, and check the copy")
    .argument("[file]", "where to; by default a dated file in <DATA_DIR>/backups")
    .option("--keep <n>", "then delete all but the n newest in the default folder", wholeNumber)
    .action(backup);

function wholeNumber(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError("A whole number from 1.");
  return Number(text);
}

async function exportFrom(url: string, name: string, to: string): Promise<void> {
  const answer = await fetch(`${url}/export?name=${encodeURIComponent(name)}`);
  if (!answer.ok || !answer.body) throw new Error(`LiteFS answered ${answer.status}`);
  createPrivate(to);
  const database = Readable.fromWeb(answer.body as ReadableStream<Uint8Array>);
  await pipeline(database, createWriteStream(to, { flags: "r+" }));
  finishBackup(to);
}

async function copyTo(target: string, { DATABASE_PATH, cluster }: Env): Promise<void> {
  const partialPath = `${target}.part`;
  if (existsSync(target)) throw new Error(`${target} exists already`);
  const madeFolders = makePrivateFolder(dirname(target));
  removeDatabase(partialPath);
  try {
    if (cluster) await exportFrom(cluster.litefsUrl, basename(DATABASE_PATH), partialPath);
    else await backUp(DATABASE_PATH, partialPath);
    renameSync(partialPath, target);
  } finally {
    removeDatabase(partialPath);
    for (const folder of madeFolders) if (readdirSync(folder).length === 0) rmdirSync(folder);
  }
}

async function backup(file: string | undefined, { keep }: { keep?: number }): Promise<void> {
  if (file !== undefined && keep !== undefined)
    throw new UsageError("--keep is for the default folder: leave out the file");
  const env = loadEnvironment();
  const folder = join(env.DATA_DIR, "backups");
  const target = resolve(file ?? join(folder, backupName(new Date())));
  process.umask(0o077);
  try {
    await copyTo(target, env);
  } catch (error) {
    throw new CommandError(`No backup was made: ${messageOf(asBackupError(target, error))}`);
  }
  console.log(target);
  if (keep !== undefined) deleteOlderBackups(folder, basename(target), keep);
}
