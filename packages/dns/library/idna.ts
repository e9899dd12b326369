import tr46 from "tr46";

const STRICT = {
  checkHyphens: true,
  checkBidi: true,
  checkJoiners: true,
  useSTD3ASCIIRules: true,
  transitionalProcessing: false,
} as const;

/** Names that UTS 46 maps to themselves: lower-case ASCII letters, digits and single hyphens inside a label. */
const PLAIN = /^[a-z0-9]+(?:-[a-z0-9]+)*(?:\.[a-z0-9]+(?:-[a-z0-9]+)*)*$/;

/** Length limits of RFC 1035 section 2.3.4, counted as UTS 46 does. */
const fits = (name: string) =>
  name.length <= 253 && name.split(".").every((label) => label.length <= 63);

/** UTS 46, non-transitional, with STD3, hyphen, bidi, joiner and length checks. Null if a check fails. */
export function toAscii(name: string): string | null {
  if (PLAIN.test(name)) return fits(name) ? name : null;
  return tr46.toASCII(name, { ...STRICT, verifyDNSLength: true });
}

export const toAsciiOfAnyLength = (name: string): string | null =>
  PLAIN.test(name) ? name : tr46.toASCII(name, STRICT);

/** UTS 46 with the same checks except lengths; `domain` is the best reading even on an error. */
export const toUnicode = (name: string): { domain: string; error: boolean } =>
  PLAIN.test(name) ? { domain: name, error: false } : tr46.toUnicode(name, STRICT);
