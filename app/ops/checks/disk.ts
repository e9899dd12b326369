import { type Stats, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { DAY } from "#app/core/time.ts";
import { userName } from "#app/environment/dot-env.server.ts";
import type { Env } from "#app/environment/env.server.ts";
import {
  firstExisting as existing,
  freeBytes,
  pathProblems,
  statOf,
} from "#app/environment/paths.server.ts";
import { withFile } from "#db/client.ts";
import { examineDatabase } from "./database.ts";
import { about, type Finding } from "./finding.ts";

/** Room for the WAL of a busy day and a backup of a small installation. */
const MIN_FREE_BYTES = 512 * 1024 * 1024;
const { ok, warning, broken } = about("Disk");

function sizeText(bytes: number): string {
  const megabytes = Math.floor(bytes / 1024 / 1024);
  return megabytes < 10_240 ? `${megabytes} MB` : `${Math.floor(megabytes / 1024)} GB`;
}

/** Returns one folder per file system. In a cluster LiteFS has the database's folder, which is left out. */
function foldersOf({ DATA_DIR, DATABASE_PATH, cluster }: Env): string[] {
  const folders = cluster ? [DATA_DIR] : [DATA_DIR, dirname(DATABASE_PATH)];
  const pathsByDevice = new Map(
    folders.map((folder) => [statSync(existing(folder)).dev, folder] as const).reverse(),
  );
  return [...pathsByDevice.values()].reverse();
}

function spaceFindings(folder: string): Finding[] {
  const free = freeBytes(folder);
  const missing =
    existing(folder) === folder ? "" : " does not exist yet, the first start creates it;";
  if (free === null) return ok(`${folder}${missing} its file system does not report free space`);
  const text = `${folder}${missing} has ${sizeText(free)} free`;
  return free < MIN_FREE_BYTES
    ? warning(text, "Free some space before writes fail: old backups and logs first.")
    : ok(text);
}

/** Estimates growth from rows, since a file does not show yesterday's size: a day's share of rows is about its share of octets. */
const GROWTH_SQL = `select (page_count - freelist_count) * page_size * total(at > ?) / count(*) as daily,
  freelist_count * page_size as unused from pragma_page_count, pragma_freelist_count, pragma_page_size,
  (select created_at as at from domains union all select created_at from claims
    union all select at from attempts)`;

/** Warns if the database alone will fill its disk within a week; says nothing about a broken database. */
export function growth(env: Env, free: number | null): Finding[] {
  const path = env.DATABASE_PATH;
  const isSound = statOf(path)?.size && examineDatabase(env).every(({ status }) => status === "ok");
  if (env.cluster || !isSound) return [];
  const found = withFile(path, { readonly: true }, (db) =>
    db.prepare<[number], Record<string, number>>(GROWTH_SQL).get(Date.now() - DAY),
  );
  const { daily = 0, unused = 0 } = found ?? {};
  const text = `${path} grew by about ${sizeText(daily)} in the last day`;
  if (unused + (free ?? Number.POSITIVE_INFINITY) > 7 * daily) return ok(text);
  const advice = "Give it a larger disk, or lower RATE_LIMIT_ADDITIONS and LIMIT_DOMAINS.";
  return warning(`${text}: at this rate the disk is full within a week`, advice);
}

export function adviceOn(problem: string): string {
  if (problem.includes("MB left")) return "Free some space: nothing more can be written.";
  if (problem.includes("read-only"))
    return "Mount it writable, or add it to the unit's ReadWritePaths.";
  if (problem.includes("closed to user"))
    return "Run this as the user that runs Deed. If you already do, make that user the owner of the folder (chown).";
  return "Correct the path in the environment.";
}

export const examinePaths = (env: Env): Finding[] =>
  pathProblems(env).flatMap((problem) => broken(problem, adviceOn(problem)));

export function examineDisk(env: Env): Finding[] {
  const problems = examinePaths(env);
  if (problems.length > 0) return problems;
  return [...foldersOf(env).flatMap(spaceFindings), ...growth(env, freeBytes(env.DATABASE_PATH))];
}

const files = about("Files");

/** Leaves out the database of a cluster, on LiteFS's mount, which other users cannot enter whatever its modes are. */
function privatePaths({ DATA_DIR, DATABASE_PATH, cluster }: Env): string[] {
  const names = ["", "outbox", "backups", "session-secret", "signing-key"];
  const database = cluster ? [] : ["", "-wal", "-shm"].map((end) => DATABASE_PATH + end);
  return [...names.map((name) => join(DATA_DIR, name)), ...database];
}

/** If others can enter a folder, they see names only; if they can read a file, they see all of it. */
function modeFinding(path: string, stats: Stats): Finding[] {
  if ((stats.mode & 0o077) === 0) return [];
  const octal = (stats.mode & 0o7777).toString(8).padStart(4, "0");
  const text = `${path} has mode ${octal}: other users of this machine can access it`;
  return stats.isDirectory()
    ? files.warning(text, `chmod 0700 ${path}`)
    : files.broken(text, `chmod 0600 ${path}`);
}

function ownerFinding(path: string, { uid }: Stats, owner: number): Finding[] {
  if (uid === owner) return [];
  return files.broken(
    `${path} belongs to ${userName(uid)}, not to ${userName(owner)}`,
    `chown ${userName(owner)} ${path}. Or, if Deed runs as ${userName(uid)}, run the doctor as that user.`,
  );
}

/** All files must belong to the user that runs Deed. If root runs this command, that user is DATA_DIR's owner. */
export function examineFiles(env: Env, uid = process.getuid?.() ?? 0): Finding[] {
  const folder = statOf(env.DATA_DIR);
  // Files in another user's folder may be invisible.
  if (folder && uid !== 0 && folder.uid !== uid) return ownerFinding(env.DATA_DIR, folder, uid);
  const found = privatePaths(env).flatMap((path) => {
    const stats = statOf(path);
    return stats ? [[path, stats] as const] : [];
  });
  const [first] = found;
  if (!first) return files.ok("no files yet: the first start creates them, closed to other users");
  const owner = uid === 0 ? first[1].uid : uid;
  const findings = found.flatMap(([path, stats]) => [
    ...ownerFinding(path, stats, owner),
    ...modeFinding(path, stats),
  ]);
  return findings.length > 0
    ? findings
    : files.ok(`belong to ${userName(owner)} and are closed to other users`);
}
