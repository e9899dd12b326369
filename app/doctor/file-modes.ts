import { type Stats, statSync } from "node:fs";
import { join } from "node:path";
import type { Env } from "#app/env.server.ts";
import { userName } from "#app/environment/user-name.server.ts";
import { about, type Finding, type Probe } from "./finding.ts";

const { ok, warning, broken } = about("Files");
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
  const report = place.holdsSecrets ? broken : warning;
  return [report(text, `chmod ${wanted(place)} ${place.path}`)];
}

/**
 * Everything belongs to the user that runs Deed: this one, or if this is root, which may look after another user's
 * files, the owner of DATA_DIR.
 */
function ownerFinding({ path }: Pick<Place, "path">, { uid }: Stats, owner: number): Finding[] {
  if (uid === owner) return [];
  return [
    broken(
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
    if (!first) return [ok("nothing to see yet: the first start makes them, closed to others")];
    const owner = uid === 0 ? first.stats.uid : uid;
    const findings = found.flatMap(({ place, stats }) => [
      ...ownerFinding(place, stats, owner),
      ...modeFinding(place, stats),
    ]);
    return findings.length > 0
      ? findings
      : [ok(`belong to ${userName(owner)} and are closed to others`)];
  };
