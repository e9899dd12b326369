import { toHex } from "./base64.ts";
import { nameText, parseName } from "./records.ts";
import type { Ds } from "./signature.ts";

/** A key trusted from the start, as a zone ("." or "lab.test") and the DS record of one of its keys. */
export type Anchor = { zone: string } & Ds;

const fromHex = (hex: string) =>
  Uint8Array.from(hex.match(/../g) ?? [], (octet) => Number.parseInt(octet, 16));

const ROOT = { zone: ".", algorithm: 8, digestType: 2 };
const rootAnchor = (keyTag: number, hex: string) => ({ ...ROOT, keyTag, digest: fromHex(hex) });

/** The root's keys are KSK-2017, and KSK-2024, which takes over in October 2026. */
export const ROOT_ANCHORS: readonly Anchor[] = [
  rootAnchor(20326, "e06d44b80b8f1d39a95c0b0d7c65d08458e880409bbc683457104237c7f8ec8d"),
  rootAnchor(38696, "683d2d0acb8c9b712a1948b27f741219298d0a450d612c483af444a4c0fb2b16"),
];

const DS_LINE =
  /^(\S+)\s+(?:\d+\s+)?(?:IN\s+)?DS\s+(\d{1,5})\s+(\d{1,3})\s+(\d{1,3})\s+((?:[0-9a-f]{2}\s*)+)$/i;

/** Reads a line of a zone file, such as "lab.test. IN DS 4711 13 2 9f3c..."; null if it is not a DS record. */
export function parseAnchor(line: string): Anchor | null {
  const [, owner = "", tag, algorithm, type, digits = ""] = DS_LINE.exec(line.trim()) ?? [];
  const name = parseName(owner.replace(/(?<=.)\.$/, ""));
  if (name === null) return null;
  const numbers = { keyTag: Number(tag), algorithm: Number(algorithm), digestType: Number(type) };
  return { zone: nameText(name), ...numbers, digest: fromHex(digits.replace(/\s/g, "")) };
}

export const anchorLine = ({ zone, keyTag, algorithm, digestType, digest }: Anchor): string =>
  `${zone} IN DS ${keyTag} ${algorithm} ${digestType} ${toHex(digest)}`;
