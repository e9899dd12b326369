import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

/** The name of a backup in the default folder. Names sort by time. */
export const backupName = (now: Date): string =>
  `deed-${now.toISOString().replaceAll(/[:.]/g, "-")}.db`;

const NAME = /^deed-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z\.db$/;

/** Deletes all backups in a folder but `newest` and the `keep - 1` before it. Leaves files of any other name alone. */
export function deleteOlderBackups(folder: string, newest: string, keep: number): void {
  const older = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && NAME.test(entry.name) && entry.name !== newest)
    .map(({ name }) => name)
    .sort()
    .reverse();
  for (const name of older.slice(keep - 1)) rmSync(join(folder, name));
}
