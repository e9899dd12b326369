import { randomBytes } from "node:crypto";
import fs from "node:fs";
import { dirname } from "node:path";

/** Returns the secret in a file, and makes the file if it is missing, readable only by its owner. */
export function ensureSecret(file: string, make: () => string): string {
  if (!fs.existsSync(file)) {
    fs.mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    const draftPath = `${file}.${randomBytes(8).toString("hex")}`;
    fs.writeFileSync(draftPath, `${make()}\n`, { flag: "wx", mode: 0o600 });
    // Links are made atomically: if two processes start at once, both read the first one's secret.
    try {
      fs.linkSync(draftPath, file);
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    } finally {
      fs.unlinkSync(draftPath);
    }
  }
  return fs.readFileSync(file, "utf8").trim();
}

/** Replaces the file's text atomically. The owner stays the same, and only the owner can read it. */
export function replaceSecret(file: string, text: string): void {
  const draftPath = `${file}.new`;
  fs.rmSync(draftPath, { force: true });
  const { uid, gid } = fs.statSync(file);
  fs.writeFileSync(draftPath, `${text}\n`, { flag: "wx", mode: 0o600, flush: true });
  fs.chownSync(draftPath, uid, gid);
  fs.renameSync(draftPath, file);
}
