import { randomBytes } from "node:crypto";
import {
  chownSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";

/** Makes the file if it is missing, readable only by its owner. */
export function ensureSecret(file: string, make: () => string): string {
  if (!existsSync(file)) {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    const draftPath = `${file}.${randomBytes(8).toString("hex")}`;
    writeFileSync(draftPath, `${make()}\n`, { flag: "wx", mode: 0o600 });
    // Links are made atomically: if two processes start at once, both read the first one's secret.
    try {
      linkSync(draftPath, file);
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    } finally {
      unlinkSync(draftPath);
    }
  }
  return readFileSync(file, "utf8").trim();
}

/** Replaces the file's text atomically. The owner stays the same, and only the owner can read it. */
export function replaceSecret(file: string, text: string): void {
  const draftPath = `${file}.new`;
  rmSync(draftPath, { force: true });
  const { uid, gid } = statSync(file);
  writeFileSync(draftPath, `${text}\n`, { flag: "wx", mode: 0o600, flush: true });
  chownSync(draftPath, uid, gid);
  renameSync(draftPath, file);
}
