// `npm run restore <file>`: replaces the database of a stopped service with a backup. In a cluster, run it under the
// primary's LiteFS: `litefs mount -config litefs.yml -- npm run restore <file>`.
import { openAsBlob } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { checkBackup, restoreInto, stageBackup } from "#db/backup.ts";
import { baseName, fail, type Place, place } from "./backup-place.ts";

const PRIMARY_WITHIN_MS = 15_000;

type Info = { isPrimary: boolean; primary: { hostname: string } };

async function primaryInfo(litefsUrl: string): Promise<Info> {
  const giveUpAt = Date.now() + PRIMARY_WITHIN_MS;
  for (;;) {
    const answer = await fetch(`${litefsUrl}/info`).catch(() => null);
    const info = (await answer?.json().catch(() => null)) as Info | null;
    if (info?.isPrimary) return info;
    if (Date.now() > giveUpAt)
      throw new Error("this machine's LiteFS is not the primary, or does not run");
    await sleep(200);
  }
}

/** Replaces the database of the whole cluster; the replicas copy it. */
async function importInto({ databasePath }: Place, litefsUrl: string, backup: string) {
  const { primary } = await primaryInfo(litefsUrl);
  const health = await fetch(`http://${primary.hostname}/api/health`).catch(() => null);
  if (health)
    throw new Error(`Deed answers at ${primary.hostname}: stop it on every machine first`);
  const folder = await mkdtemp(join(tmpdir(), "deed-restore-"));
  try {
    const staged = join(folder, "deed.db");
    stageBackup(backup, staged);
    const answer = await fetch(`${litefsUrl}/import?name=${baseName(databasePath)}`, {
      method: "POST",
      body: await openAsBlob(staged),
    });
    if (!answer.ok) throw new Error(`LiteFS answered ${answer.status}: ${await answer.text()}`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  checkBackup(databasePath);
}

const where = place();
const [file] = process.argv.slice(2);
try {
  if (!file) throw new Error("name the file: npm run restore <file>");
  const backup = resolve(file);
  if (where.litefsUrl) {
    await importInto(where, where.litefsUrl, backup);
    console.log(`${where.databasePath} now holds ${backup}`);
  } else {
    const stamp = new Date().toISOString().replaceAll(/[:.]/g, "-");
    const kept = restoreInto(where.databasePath, backup, `${where.databasePath}.before-${stamp}`);
    console.log(`${where.databasePath} now holds ${backup}`);
    if (kept) console.log(`The database before it: ${kept}`);
  }
} catch (error) {
  fail("Nothing was restored", error);
}
