// `npm run backup [file]`: an online, verified copy of the database. In a cluster, taken from this node's LiteFS.
import { createWriteStream, existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream } from "node:stream/web";
import { backUp, sealBackup } from "#db/backup.ts";
import { baseName, fail, place } from "./backup-place.ts";

const { databasePath, litefsUrl, dataDir } = place();
const stamp = new Date().toISOString().replaceAll(/[:.]/g, "-");
const target = resolve(process.argv[2] ?? `${dataDir}/backups/deed-${stamp}.db`);
const half = `${target}.part`;

async function exportFrom(url: string): Promise<void> {
  const answer = await fetch(`${url}/export?name=${encodeURIComponent(baseName(databasePath))}`);
  if (!answer.ok || !answer.body) throw new Error(`LiteFS answered ${answer.status}`);
  await pipeline(
    Readable.fromWeb(answer.body as ReadableStream<Uint8Array>),
    createWriteStream(half, { mode: 0o600 }),
  );
  sealBackup(half);
}

try {
  process.umask(0o077);
  if (existsSync(target)) throw new Error(`${target} is there already`);
  mkdirSync(dirname(target), { recursive: true });
  if (litefsUrl) await exportFrom(litefsUrl);
  else await backUp(databasePath, half);
  renameSync(half, target);
  console.log(target);
} catch (error) {
  rmSync(half, { force: true });
  fail("No backup was made", error);
}
