import { randomBytes, randomInt } from "node:crypto";

export type IdPrefix =
  | "acc"
  | "ses"
  | "lnk"
  | "per"
  | "inv"
  | "dom"
  | "clm"
  | "ver"
  | "att"
  | "ntc"
  | "key"
  | "whk"
  | "msg"
  | "dlv";

/** Crockford's base 32: no i, l, o, u. */
export const DIGITS = "0123456789abcdefghjkmnpqrstvwxyz";

/** The last `count` digits of a number. */
export function base32(value: number, count: number): string {
  let digits = "";
  for (let rest = value, i = 0; i < count; i++, rest = Math.floor(rest / 32))
    digits = DIGITS[rest % 32] + digits;
  return digits;
}

/** Random digits, five bits each. */
export function randomDigits(count: number): string {
  let digits = "";
  for (let i = 0; i < count; i++) digits += DIGITS[randomInt(DIGITS.length)];
  return digits;
}

/**
 * An id: prefix, then 9 digits of time (milliseconds, Crockford base 32) and 16 random digits, so that later ids sort
 * after earlier ones.
 */
export function newId(prefix: IdPrefix, now: number): string {
  return `${prefix}_${base32(now, 9)}${randomDigits(16)}`;
}

/** A token as written into DNS: the prefix and 40 lower-case hex digits, 160 random bits. */
export const newToken = (prefix: string): string => prefix + randomBytes(20).toString("hex");

/** 130 random bits in 26 URL-safe characters without look-alikes (no i, l, o, u). */
export const newSlug = (): string => randomDigits(26);
