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
    const draft = `${file}.${randomBytes(8).toString("hex")}`;
    writeFileSync(draft, `${make()}\n`, { flag: "wx", mode: 0o600 });
    // Links are made atomically: if two processes start at once, both read the first one's secret.
    try {
      linkSync(draft, file);
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    } finally {
      unlinkSync(draft);
    }
  }
  return readFileSync(file, "utf8").trim();
}

/** Replaces the file's text atomically. The owner stays the same, and only the owner can read it. */
export function replaceSecret(file: string, text: string): void {
  const draft = `${file}.new`;
  rmSync(draft, { force: true });
  const { uid, gid } = statSync(file);
  writeFileSync(draft, `${text}\n`, { flag: "wx", mode: 0o600, flush: true });
  chownSync(draft, uid, gid);
  renameSync(draft, file);
}
