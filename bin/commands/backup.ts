import { createWriteStream, existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream } from "node:stream/web";
import type { Command } from "commander";
import { backUp, sealBackup } from "#db/backup.ts";
import { loadEnvironment } from "../environment.ts";
import { CommandError, messageOf } from "../output.ts";

export const register = (program: Command): void => {
  program
    .command("backup")
    .description("copy the database, in use or not, and check the copy")
    .argument("[file]", "where to; by default a dated file in <DATA_DIR>/backups")
    .action(backup);
};

async function exportFrom(url: string, name: string, to: string): Promise<void> {
  const answer = await fetch(`${url}/export?name=${encodeURIComponent(name)}`);
  if (!answer.ok || !answer.body) throw new Error(`LiteFS answered ${answer.status}`);
  await pipeline(
    Readable.fromWeb(answer.body as ReadableStream<Uint8Array>),
    createWriteStream(to, { mode: 0o600 }),
  );
  sealBackup(to);
}

/** Makes an online, verified copy; in a cluster, from this node's LiteFS. Prints its path. */
async function backup(file: string | undefined): Promise<void> {
  const env = loadEnvironment();
  const stamp = new Date().toISOString().replaceAll(/[:.]/g, "-");
  const target = resolve(file ?? `${env.DATA_DIR}/backups/deed-${stamp}.db`);
  const half = `${target}.part`;
  try {
    process.umask(0o077);
    if (existsSync(target)) throw new Error(`${target} is there already`);
    mkdirSync(dirname(target), { recursive: true });
    if (env.cluster) await exportFrom(env.cluster.litefsUrl, basename(env.DATABASE_PATH), half);
    else await backUp(env.DATABASE_PATH, half);
    renameSync(half, target);
    console.log(target);
  } catch (error) {
    rmSync(half, { force: true });
    throw new CommandError(`No backup was made: ${messageOf(error)}`);
  }
}
