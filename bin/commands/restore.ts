import { existsSync, openAsBlob } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Command } from "commander";
import { readInfo } from "#app/cluster/litefs.server.ts";
import type { Env } from "#app/environment/env.server.ts";
import { checkBackup, finishBackup, restoreInto, stageBackup } from "#db/backup.ts";
import { openDatabase, write } from "#db/client.ts";
import { reserveDatabase } from "#db/lock.ts";
import { migrateDatabase } from "#db/migrate.ts";
import { makePrivateFolder } from "#db/ownership.ts";
import { renewTerm } from "#db/term.ts";
import { loadEnvironment } from "../support/environment.ts";
import { CommandError, messageOf } from "../support/output.ts";

export const HELP = `
Refuses a damaged file, one of another program, and a database that is in use. The previous database is kept
beside the new one. In a cluster, run it under the primary's LiteFS with Deed stopped on every machine. A backup does
not know of keys that were revoked after it: run deed keys revoke again for those.

Examples:
  deed restore /var/lib/deed/backups/deed-2026-11-22T03-00-00-000Z.db
  litefs mount -config /etc/litefs.yml -- deed restore /mnt/backups/before-the-upgrade.db`;

export const register = (command: Command) =>
  command
    .description("replace the database of a stopped service with a backup")
    .argument("<file>", "the backup")
    .action(restore);

const PRIMARY_TIMEOUT_MS = 15_000;

async function primaryHost(litefsUrl: string): Promise<string> {
  const giveUpAt = Date.now() + PRIMARY_TIMEOUT_MS;
  for (;;) {
    const info = await readInfo(litefsUrl).catch(() => null);
    if (info?.isPrimary) return info.hostname;
    if (Date.now() > giveUpAt)
      throw new Error("this machine's LiteFS is not the primary, or is not running");
    await sleep(200);
  }
}

async function importInto(
  databasePath: string,
  { litefsUrl, address }: NonNullable<Env["cluster"]>,
  backup: string,
) {
  const primary = await primaryHost(litefsUrl);
  const answer = await fetch(`http://${primary}/api/health/live`).catch(() => null);
  if (answer) throw new Error(`Deed answers at ${primary}: stop it on every machine first`);
  const folder = await mkdtemp(join(tmpdir(), "deed-restore-"));
  try {
    const stagedPath = join(folder, "deed.db");
    await stageBackup(backup, stagedPath);
    const db = openDatabase(stagedPath);
    migrateDatabase(db);
    await write(db, (tx) => renewTerm(tx, address, Date.now()));
    db.$client.close();
    finishBackup(stagedPath);
    const answer = await fetch(`${litefsUrl}/import?name=${basename(databasePath)}`, {
      method: "POST",
      body: await openAsBlob(stagedPath),
    });
    if (!answer.ok) throw new Error(`LiteFS answered ${answer.status}: ${await answer.text()}`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  checkBackup(databasePath);
}

async function restore(file: string): Promise<void> {
  const { DATABASE_PATH: target, cluster } = loadEnvironment();
  const backup = resolve(file);
  try {
    if (!existsSync(backup)) throw new Error(`${backup} does not exist`);
    if (cluster) {
      await importInto(target, cluster, backup);
      return console.log(`${target} now holds ${backup}`);
    }
    process.umask(0o077);
    makePrivateFolder(dirname(target));
    await reserveDatabase(target, 0, console.error);
    const stamp = new Date().toISOString().replaceAll(/[:.]/g, "-");
    const oldCopy = await restoreInto(target, backup, `${target}.before-${stamp}`);
    console.log(`${target} now holds ${backup}`);
    if (oldCopy) console.log(`The previous database: ${oldCopy}`);
  } catch (error) {
    throw new CommandError(`Nothing was restored: ${messageOf(error)}`);
  }
}
