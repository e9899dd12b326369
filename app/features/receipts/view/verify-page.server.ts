import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { anchorLine, ROOT_ANCHORS } from "@deed/dns/dnssec/anchors.ts";
import type { Settings } from "#app/core/context.server.ts";
import { packageFile } from "#db/package-file.ts";

const FILE = "public/deed-verify.html";
const ASSETS = "build/_assets";

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

/** The address of the proof page's script; null if this build has none. */
export function proofScript(): string | null {
  try {
    const name = readdirSync(packageFile(`public/${ASSETS}`)).find((each) =>
      each.startsWith("proof-script-"),
    );
    return name ? `/${ASSETS}/${name}` : null;
  } catch {
    return null;
  }
}

/** The keys that this installation's chains start from, as DS records on lines; null if they are the root's. */
export const labAnchors = ({ trustAnchors }: Pick<Settings, "trustAnchors">): string | null =>
  trustAnchors === ROOT_ANCHORS || trustAnchors.length === 0
    ? null
    : trustAnchors.map(anchorLine).join("\n");
