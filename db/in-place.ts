import { realpathSync, statSync } from "node:fs";

/** What a path leads to: device and inode, which no other file has while a process keeps it open. Null if it cannot be told. */
function identityOf(path: string): string | null {
  try {
    const { dev, ino } = statSync(path, { bigint: true });
    return `${dev}:${ino}`;
  } catch {
    return null;
  }
}

/**
 * Returns a look at whether the database just opened at `path` is the one that would be opened there now, with its log:
 * whether no file was removed, renamed or replaced, which SQLite does not notice in WAL mode. Once it was not, it never
 * is again, because somebody may have written elsewhere meanwhile. `log`: the endings of the log's files.
 */
export function placeOf(path: string, log: readonly string[]): () => boolean {
  // SQLite keeps its log beside the file that a symlink leads to.
  const real = realpathSync(path);
  const files = [path, ...log.map((end) => real + end)];
  const opened = files.map(identityOf);
  let isInPlace = true;
  return () => {
    isInPlace &&= files.every((file, i) => identityOf(file) === opened[i]);
    return isInPlace;
  };
}
