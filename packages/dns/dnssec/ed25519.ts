import { toHex } from "./base64.ts";

/** Writes 32 octets, least significant first, as 64 hexadecimal digits that compare as text. */
const digitsOf = (octets: Uint8Array) => toHex(octets.slice().reverse());

const PRIME = `7${"f".repeat(61)}ed`;
const GROUP_ORDER = `1${"0".repeat(31)}14def9dea2f79cd65812631a5cf5d3ed`.padStart(64, "0");
/** The y coordinates of the points of order 1, 2, 4 and 8. */
const SMALL_ORDER_YS = [
  "0".padStart(64, "0"),
  "1".padStart(64, "0"),
  `7${"f".repeat(61)}ec`,
  "05fc536d880238b13933c6d305acdfd5f098eff289f4c345b027b2c28f95e826",
  "7a03ac9277fdc74ec6cc392cfa53202a0f67100d760b3cba4fd84d3d706a17c7",
];

/** The first 32 octets are y and, in the topmost bit, the sign of x (RFC 8032 section 5.1.2). */
function isSoundPoint(octets: Uint8Array): boolean {
  const y = octets.slice(0, 32);
  y[31] = (y[31] ?? 0) & 0x7f;
  const digits = digitsOf(y);
  return digits < PRIME && !SMALL_ORDER_YS.includes(digits);
}

/** Refuses keys and signatures of small order, and numbers out of range, since platforms differ on them. */
export const isSoundEd25519 = (key: Uint8Array, signature: Uint8Array): boolean =>
  key.length === 32 &&
  signature.length === 64 &&
  isSoundPoint(key) &&
  isSoundPoint(signature) &&
  digitsOf(signature.subarray(32)) < GROUP_ORDER;
