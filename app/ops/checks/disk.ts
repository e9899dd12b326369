import { type Stats, statfsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { userName } from "#app/ops/environment/dot-env.server.ts";
import type { Env } from "#app/ops/environment/env.server.ts";
import { placeProblems } from "#app/ops/environment/places.server.ts";
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

/** Whether Deed can keep its files where the environment says. Writes nothing. */
export const examinePlaces =
  (env: Env): Probe =>
  () =>
    placeProblems(env).map((problem) => broken(problem, adviceOn(problem)));

/** The same, and how much room is left. */
export const examineDisk =
  (env: Env): Probe =>
  async (signal) => {
    const problems = await examinePlaces(env)(signal);
    return problems.length > 0 ? problems : foldersOf(env).map(space);
  };

const files = about("Files");
const OTHERS = 0o077;

type Place = { path: string; isFolder: boolean; holdsSecrets: boolean };

/** Follows links: under systemd's DynamicUser the data folder is one. */
const lookAt = (path: string): Stats | undefined => statSync(path, { throwIfNoEntry: false });

/** In a cluster the database is on LiteFS's mount, which others cannot enter whatever its modes. */
function placesOf({ DATA_DIR, DATABASE_PATH, cluster }: Env): Place[] {
  const file = (path: string): Place => ({ path, isFolder: false, holdsSecrets: true });
  const folder = (path: string): Place => ({ path, isFolder: true, holdsSecrets: false });
  return [
    folder(DATA_DIR),
    folder(join(DATA_DIR, "outbox")),
    folder(join(DATA_DIR, "backups")),
    file(join(DATA_DIR, "session-secret")),
    file(join(DATA_DIR, "signing-key")),
    ...(cluster ? [] : ["", "-wal", "-shm"].map((end) => file(DATABASE_PATH + end))),
  ];
}

const octal = (mode: number) => (mode & 0o7777).toString(8).padStart(4, "0");
const wanted = ({ isFolder }: Place) => (isFolder ? "0700" : "0600");

/** A folder others can enter shows them names only; a file they can read shows them all of it. */
function modeFinding(place: Place, { mode }: Stats): Finding[] {
  if ((mode & OTHERS) === 0) return [];
  const text = `${place.path} has mode ${octal(mode)}: other users of this machine can get at it`;
  const report = place.holdsSecrets ? files.broken : files.warning;
  return [report(text, `chmod ${wanted(place)} ${place.path}`)];
}

/**
 * Everything belongs to the user that runs Deed: this one, or if this is root, which may look after another user's
 * files, the owner of DATA_DIR.
 */
function ownerFinding({ path }: Pick<Place, "path">, { uid }: Stats, owner: number): Finding[] {
  if (uid === owner) return [];
  return [
    files.broken(
      `${path} belongs to ${userName(uid)}, not to ${userName(owner)}`,
      `chown ${userName(owner)} ${path}; if Deed runs as ${userName(uid)}, run this as that user.`,
    ),
  ];
}

/** Whether the data folder, the database and the secrets belong to Deed's user and are closed to others. */
export const examineFiles =
  (env: Env, uid = process.getuid?.() ?? 0): Probe =>
  () => {
    const folder = lookAt(env.DATA_DIR);
    // What is in another user's folder may be out of sight.
    if (folder && uid !== 0 && folder.uid !== uid)
      return ownerFinding({ path: env.DATA_DIR }, folder, uid);
    const found = placesOf(env).flatMap((place) => {
      const stats = lookAt(place.path);
      return stats ? [{ place, stats }] : [];
    });
    const [first] = found;
    if (!first)
      return [files.ok("nothing to see yet: the first start makes them, closed to others")];
    const owner = uid === 0 ? first.stats.uid : uid;
    const findings = found.flatMap(({ place, stats }) => [
      ...ownerFinding(place, stats, owner),
      ...modeFinding(place, stats),
    ]);
    return findings.length > 0
      ? findings
      : [files.ok(`belong to ${userName(owner)} and are closed to others`)];
  };
