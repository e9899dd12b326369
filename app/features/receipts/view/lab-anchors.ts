import { anchorLine, ROOT_ANCHORS } from "@deed/dns/dnssec/anchors.ts";
import type { Settings } from "#app/core/context.server.ts";

/** The keys that this installation's chains start from, as DS records on lines; null if they are the root's. */
export const labAnchors = ({ trustAnchors }: Pick<Settings, "trustAnchors">): string | null =>
  trustAnchors === ROOT_ANCHORS || trustAnchors.length === 0
    ? null
    : trustAnchors.map(anchorLine).join("\n");
