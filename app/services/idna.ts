import tr46 from "tr46";

const STRICT = {
  checkHyphens: true,
  checkBidi: true,
  checkJoiners: true,
  useSTD3ASCIIRules: true,
  transitionalProcessing: false,
} as const;

/** UTS 46 ToASCII: non-transitional, STD3, hyphen, bidi, joiner and length checks. Null where the name fails one. */
export const toAscii = (name: string): string | null =>
  tr46.toASCII(name, { ...STRICT, verifyDNSLength: true });

/** As toAscii, whatever the length of the labels and of the name. */
export const toAsciiOfAnyLength = (name: string): string | null => tr46.toASCII(name, STRICT);

/** UTS 46 ToUnicode under the same checks, lengths excepted; `domain` is the best reading even on an error. */
export const toUnicode = (name: string): { domain: string; error: boolean } =>
  tr46.toUnicode(name, STRICT);
