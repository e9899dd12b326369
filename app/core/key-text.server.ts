import { crc32 } from "node:zlib";
import { base32, DIGITS, randomDigits } from "./ids.server.ts";

const SECRET_DIGITS = 32;
const CHECK_DIGITS = 7;

const digits = (count: number) => `[${DIGITS}]{${count}}`;
const TEXT = `(deed_(key_${digits(25)})_)(${digits(SECRET_DIGITS)})(${digits(CHECK_DIGITS)})`;
const WHOLE = new RegExp(`^${TEXT}$`);
const ANYWHERE = new RegExp(`(deed_key_${digits(25)}_)[0-9a-z]+`, "gi");

/** The CRC-32 of the text before it, in seven digits: tells a key from what only looks like one, without asking us. */
const checkOf = (text: string): string => base32(crc32(text), CHECK_DIGITS);

/** 160 random bits. */
export const newKeySecret = (): string => randomDigits(SECRET_DIGITS);

/** The key as its holder sends it, `deed_<id>_<secret and check>`. */
export function keyText(id: string, secret: string): string {
  const text = `deed_${id}_${secret}`;
  return text + checkOf(text);
}

/** Id and secret of a key; null if the text has another form or was mistyped. */
export function readKeyText(text: string): { id: string; secret: string } | null {
  const [, start = "", id = "", secret = "", check] = WHOLE.exec(text) ?? [];
  return check !== undefined && checkOf(start + secret) === check ? { id, secret } : null;
}

/** The text with "*" in place of the secret of every key in it. */
export const withoutKeys = (text: string): string => text.replace(ANYWHERE, "$1*");
