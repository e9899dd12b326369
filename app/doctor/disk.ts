import { statfsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import type { Env } from "#app/env.server.ts";
import { placeProblems } from "#app/environment/places.server.ts";
import { about, type Finding, type Probe } from "./finding.ts";

/** Room for the WAL of a busy day and a backup of a small installation. */
const LOW_BYTES = 512 * 1024 * 1024;
const MEGABYTE = 1024 * 1024;
const { ok, warning, broken } = about("Disk");

function inWords(bytes: number): string {
  const megabytes = Math.floor(bytes / MEGABYTE);
  return megabytes < 10_240 ? `${megabytes} MB` : `${Math.floor(megabytes / 1024)} GB`;
}

function existing(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  return found || dirname(path) === path ? path : existing(dirname(path));
}

/** The folders that Deed writes to, one of each file system. In a cluster the database's is LiteFS's. */
function foldersOf({ DATA_DIR, DATABASE_PATH, cluster }: Env): string[] {
  const folders = cluster ? [DATA_DIR] : [DATA_DIR, dirname(DATABASE_PATH)];
  const byDevice = new Map(
    folders.map((folder) => [statSync(existing(folder)).dev, folder] as const).reverse(),
  );
  return [...byDevice.values()].reverse();
}

function space(folder: string): Finding {
  const { blocks, bavail, bsize } = statfsSync(existing(folder));
  const free = bavail * bsize;
  const missing =
    existing(folder) === folder ? "" : " does not exist yet, the first start makes it;";
  // Some file systems count no blocks at all.
  if (blocks === 0) return ok(`${folder}${missing} its file system does not count what is free`);
  const text = `${folder}${missing} has ${inWords(free)} free`;
  return free < LOW_BYTES
    ? warning(text, "Free some space before writes fail: old backups and logs first.")
    : ok(text);
}

/** What to do about a path that Deed cannot use. */
export function adviceOn(problem: string): string {
  if (problem.includes("MB left")) return "Free some space: nothing can be written any more.";
  if (problem.includes("read-only"))
    return "Mount it writable, or add it to the unit's ReadWritePaths.";
  if (problem.includes("closed to user"))
    return "Run this as the user that runs Deed; if it is, give that user the folder (chown).";
  return "Correct the path in the environment.";
}

/** Whether Deed can keep its files where the environment says, and how much room is left. Writes nothing. */
export const examineDisk =
  (env: Env): Probe =>
  () => {
    const problems = placeProblems(env);
    if (problems.length > 0) return problems.map((problem) => broken(problem, adviceOn(problem)));
    return foldersOf(env).map(space);
  };
