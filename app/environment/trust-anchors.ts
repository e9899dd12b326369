import * as z from "zod";
import { type Anchor, parseAnchor, ROOT_ANCHORS } from "#app/dns/dnssec/anchors.ts";
import { splitList } from "./formats.ts";

/** Octets of the digests that count, by their type: SHA-256 and SHA-384. */
const OCTETS: Record<number, number> = { 2: 32, 4: 48 };

const isUsable = ({ digestType, digest }: Anchor) => OCTETS[digestType] === digest.length;

/** The keys that DNSSEC chains start from: DS records in zone-file form; the root's by default, "none" for no chain. */
export const trustAnchors = z
  .string()
  .optional()
  .transform((text, context) => {
    if (text === undefined) return ROOT_ANCHORS;
    if (text.trim() === "none") return [];
    const lines = splitList(text);
    const anchors = lines.flatMap((line) => parseAnchor(line) ?? []).filter(isUsable);
    if (anchors.length === lines.length && anchors.length > 0) return anchors;
    context.addIssue({
      code: "custom",
      message:
        "none, or whole DS records with SHA-256 or SHA-384, joined by commas, such as . IN DS 20326 8 2 E06D44B8…",
    });
    return z.NEVER;
  });
