import { readdirSync } from "node:fs";
import { anchorLine, ROOT_ANCHORS } from "@deed/dns/dnssec/anchors.ts";
import type { Settings } from "#app/core/settings.server.ts";
import { packageFile } from "#db/package-file.ts";

const ASSETS = "build/_assets";

/** Returns the address of a page's script; null if this build lacks it. */
export function pageScript(page: "proof" | "verify"): string | null {
  try {
    const name = readdirSync(packageFile(`public/${ASSETS}`)).find((each) =>
      each.startsWith(`${page}-script-`),
    );
    return name ? `/${ASSETS}/${name}` : null;
  } catch {
    return null;
  }
}

/** Returns the trust anchors of this installation as DS records, one per line; null if they are the root's. */
export const labAnchors = ({ trustAnchors }: Pick<Settings, "trustAnchors">): string | null =>
  trustAnchors === ROOT_ANCHORS || trustAnchors.length === 0
    ? null
    : trustAnchors.map(anchorLine).join("\n");
