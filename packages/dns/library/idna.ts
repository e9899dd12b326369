import tr46 from "tr46";
import { isQueryable } from "../names.ts";

const STRICT_OPTIONS = {
  checkHyphens: true,
  checkBidi: true,
  checkJoiners: true,
  useSTD3ASCIIRules: true,
  transitionalProcessing: false,
} as const;

/** Names that UTS 46 maps to themselves: lower-case ASCII letters, digits and single hyphens inside a label. */
const PLAIN_NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*(?:\.[a-z0-9]+(?:-[a-z0-9]+)*)*$/;

/** Converts by UTS 46, non-transitional, with STD3, hyphen, bidi, joiner and length checks. Null if a check fails. */
export function toAscii(name: string, verifyDNSLength = true): string | null {
  if (PLAIN_NAME.test(name)) return !verifyDNSLength || isQueryable(name) ? name : null;
  return tr46.toASCII(name, { ...STRICT_OPTIONS, verifyDNSLength });
}

/** Reverses toAscii, with the same checks except lengths. After an error `domain` is the best reading. */
export const toUnicode = (name: string): { domain: string; error: boolean } =>
  PLAIN_NAME.test(name) ? { domain: name, error: false } : tr46.toUnicode(name, STRICT_OPTIONS);
