import { closeSync, lchownSync, mkdirSync, openSync, statSync } from "node:fs";
import { dirname } from "node:path";

/** Gives files that root made to the folder's owner, who runs the service. */
export function giveToFolderOwner(path: string): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(dirname(path));
  lchownSync(path, uid, gid);
}

/** Creates an empty file, mode 0600, for its folder's owner. By default throws if the path exists, even as a symlink. */
export function createPrivate(path: string, flags: string | number = "wx"): void {
  closeSync(openSync(path, flags, 0o600));
  giveToFolderOwner(path);
}

/** Creates the folder and those above it, mode 0700, each owned by its parent folder's owner. Returns them, innermost first. */
export function makePrivateFolder(path: string): string[] {
  const parentFolder = dirname(path);
  let created: string[] = [];
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") return created;
    if (code !== "ENOENT" || parentFolder === path) throw error;
    created = makePrivateFolder(parentFolder);
    mkdirSync(path, { mode: 0o700 });
  }
  giveToFolderOwner(path);
  return [path, ...created];
}
