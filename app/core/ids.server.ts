import { randomInt } from "node:crypto";
import { crc32 } from "node:zlib";

export const ID_PREFIXES = [
  "acc",
  "ses",
  "per",
  "inv",
  "dom",
  "clm",
  "ver",
  "att",
  "ntc",
  "key",
  "test",
  "whk",
  "msg",
  "dlv",
] as const;
export type IdPrefix = (typeof ID_PREFIXES)[number] | "lnk";

/** The digits of Crockford's base 32, which lack i, l, o and u. */
export const DIGITS = "0123456789abcdefghjkmnpqrstvwxyz";

export function base32(value: number, count: number): string {
  let digits = "";
  for (let rest = Math.floor(value), i = 0; i < count; i++, rest = Math.floor(rest / 32))
    digits = DIGITS[rest % 32] + digits;
  return digits;
}

export const randomDigits = (count: number): string =>
  Array.from({ length: count }, () => DIGITS[randomInt(DIGITS.length)]).join("");

/** Ids sort by the given time in milliseconds, then by real time in tenths, because a test world's clock may stand still. */
export function newId(prefix: IdPrefix, now: number): string {
  const realTime = (performance.timeOrigin + performance.now()) * 10;
  return `${prefix}_${base32(now, 9)}${base32(realTime, 8)}${randomDigits(8)}`;
}

/** Makes a slug of 130 random bits, safe in URLs and without look-alikes. */
export const newSlug = ({ test }: { test?: { slugStart: string } } = {}): string =>
  (test?.slugStart ?? "") + randomDigits(26);

const SECRET_DIGITS = 32;
const CHECK_DIGITS = 7;

const digitsPattern = (count: number) => `[${DIGITS}]{${count}}`;
/** A test key's id begins with "test", so its kind is known without its row. */
export const isTestKey = (id: string): boolean => id.startsWith("test_");
const KEY_PATTERN = `(deed_((?:key|test)_${digitsPattern(25)})_)(${digitsPattern(SECRET_DIGITS)})(${digitsPattern(CHECK_DIGITS)})`;
const WHOLE_KEY = new RegExp(`^${KEY_PATTERN}$`);
const KEY_IN_TEXT = new RegExp(`(deed_(?:key|test)_${digitsPattern(25)}_)[0-9a-z]+`, "gi");

/** Returns the CRC-32 in seven digits, which shows without the database that a key was mistyped. */
const checkDigitsOf = (text: string): string => base32(crc32(text), CHECK_DIGITS);

/** Makes a secret of 160 random bits. */
export const newKeySecret = (): string => randomDigits(SECRET_DIGITS);

export function keyText(id: string, secret: string): string {
  const text = `deed_${id}_${secret}`;
  return text + checkDigitsOf(text);
}

/** Returns the id and the secret in a key; null if the text is not a key or was mistyped. */
export function readKeyText(text: string): { id: string; secret: string } | null {
  const [, start = "", id = "", secret = "", digits] = WHOLE_KEY.exec(text) ?? [];
  return digits !== undefined && checkDigitsOf(start + secret) === digits ? { id, secret } : null;
}

export const maskKeys = (text: string): string => text.replace(KEY_IN_TEXT, "$1*");
