import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { packageFile } from "#db/package-file.ts";

const FILE = "public/deed-verify.html";

/** SHA-256 of the page that checks receipts from a disk, in hexadecimal; null if this build has none. */
export function savedPageHash(): string | null {
  try {
    return createHash("sha256")
      .update(readFileSync(packageFile(FILE)))
      .digest("hex");
  } catch {
    return null;
  }
}
