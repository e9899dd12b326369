import { RSA_BITS } from "./limits.ts";
import { type Bytes, concat } from "./records.ts";

const RSA = "RSASSA-PKCS1-v1_5";
/** RFC 5702, RFC 6605 and RFC 8080, as Web Crypto names them. Ed448 is not on every platform. */
const ALGORITHMS: Record<number, { name: string; hash?: string; namedCurve?: string }> = {
  8: { name: RSA, hash: "SHA-256" },
  10: { name: RSA, hash: "SHA-512" },
  13: { name: "ECDSA", hash: "SHA-256", namedCurve: "P-256" },
  14: { name: "ECDSA", hash: "SHA-384", namedCurve: "P-384" },
  15: { name: "Ed25519" },
  16: { name: "Ed448" },
};
const ED448 = 16;
const ED448_OCTETS = 57;
/** Of DS records (RFC 4509, RFC 6605). SHA-1 is refused. */
const DIGESTS: Record<number, string> = { 2: "SHA-256", 4: "SHA-384" };

let hasEd448: Promise<boolean> | undefined;

export async function isSupported(algorithm: number): Promise<boolean> {
  if (algorithm !== ED448) return algorithm in ALGORITHMS;
  hasEd448 ??= importKey(ED448, new Uint8Array(ED448_OCTETS)).then(
    () => true,
    () => false,
  );
  return hasEd448;
}

export const isDigest = (type: number) => type in DIGESTS;

/** The digest of a DS record's type, which isDigest accepts. */
export const digest = (type: number, data: Bytes) => hash(DIGESTS[type] ?? "", data);
export const sha1 = (data: Bytes) => hash("SHA-1", data);

const hash = async (name: string, data: Bytes) =>
  new Uint8Array(await crypto.subtle.digest(name, data));

/** Whether the signature over `data` is by this key, both as DNSSEC records hold them. False for an unusable key. */
export async function isSignedBy(
  algorithm: number,
  key: Bytes,
  signature: Bytes,
  data: Bytes,
): Promise<boolean> {
  try {
    const imported = await importKey(algorithm, key);
    return await crypto.subtle.verify(ALGORITHMS[algorithm] ?? RSA, imported, signature, data);
  } catch {
    return false;
  }
}

async function importKey(algorithm: number, key: Bytes): Promise<CryptoKey> {
  const named = ALGORITHMS[algorithm] ?? { name: "" };
  if (named.name === RSA)
    return crypto.subtle.importKey("jwk", rsaKey(key), named, false, ["verify"]);
  // 4: an uncompressed point follows.
  const raw = named.name === "ECDSA" ? concat(Uint8Array.of(4), key) : key;
  return crypto.subtle.importKey("raw", raw, named, false, ["verify"]);
}

/** RFC 3110 section 2: the length of the exponent in one octet, or in two after a zero; exponent; modulus. */
function rsaKey(key: Bytes): JsonWebKey {
  const [first = 0, high = 0, low = 0] = key;
  const [start, length] = first > 0 ? [1, first] : [3, high * 0x100 + low];
  const exponent = key.subarray(start, start + length);
  const modulus = key.subarray(start + length);
  const bits = 8 * modulus.length;
  if (modulus[0] === 0 || bits < RSA_BITS.least || bits > RSA_BITS.most || exponent.length > 4)
    throw new RangeError("not a usable RSA key");
  return { kty: "RSA", n: base64url(modulus), e: base64url(exponent) };
}

const base64url = (bytes: Uint8Array) =>
  btoa(String.fromCharCode(...bytes)).replace(
    /[+/=]/g,
    (one) => ({ "+": "-", "/": "_" })[one] ?? "",
  );
