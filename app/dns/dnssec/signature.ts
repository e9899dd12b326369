import { RSA_BITS } from "./limits.ts";
import { type Bytes, concat } from "./records.ts";

/** Elliptic curves by algorithm number: name, hash, and octets of a coordinate (RFC 6605). */
const ECDSA: Record<number, { curve: string; hash: string; size: number }> = {
  13: { curve: "P-256", hash: "SHA-256", size: 32 },
  14: { curve: "P-384", hash: "SHA-384", size: 48 },
};
/** RFC 8080: name, and octets of a key and of a signature. */
const EDWARDS: Record<number, { name: string; key: number; signature: number }> = {
  15: { name: "Ed25519", key: 32, signature: 64 },
  16: { name: "Ed448", key: 57, signature: 114 },
};
/** RFC 5702. */
const RSA: Record<number, string> = { 8: "SHA-256", 10: "SHA-512" };
/** Digests of DS records (RFC 4509, RFC 6605). SHA-1 is refused: RFC 8624 section 3.3. */
const DIGESTS: Record<number, string> = { 2: "SHA-256", 4: "SHA-384" };

let ed448: Promise<boolean> | undefined;

/** Whether this platform verifies signatures of an algorithm; only Ed448 depends on the platform. */
export async function isSupported(algorithm: number): Promise<boolean> {
  if (algorithm !== 16) return algorithm in RSA || algorithm in ECDSA || algorithm in EDWARDS;
  ed448 ??= crypto.subtle
    .importKey("raw", new Uint8Array(57), { name: "Ed448" }, false, ["verify"])
    .then(
      () => true,
      () => false,
    );
  return ed448;
}

/** Digest by the type number of a DS record; null if it is not supported. */
export async function digest(type: number, data: Bytes): Promise<Bytes | null> {
  const hash = DIGESTS[type];
  return hash === undefined ? null : new Uint8Array(await crypto.subtle.digest(hash, data));
}

export const isDigest = (type: number) => type in DIGESTS;

export const sha1 = async (data: Bytes): Promise<Bytes> =>
  new Uint8Array(await crypto.subtle.digest("SHA-1", data));

/** Whether `signature` over `data` is by the key, in the forms of DNSKEY and RRSIG. False for a malformed key. */
export async function isSignedBy(
  algorithm: number,
  key: Bytes,
  signature: Bytes,
  data: Bytes,
): Promise<boolean> {
  try {
    const { imported, parameters, size } = await importKey(algorithm, key);
    if (signature.length !== size) return false;
    return await crypto.subtle.verify(parameters, imported, signature, data);
  } catch {
    return false;
  }
}

type Imported = {
  imported: CryptoKey;
  parameters: { name: string; hash?: string };
  /** Octets of a signature. */
  size: number;
};

async function importKey(algorithm: number, key: Bytes): Promise<Imported> {
  const rsa = RSA[algorithm];
  if (rsa) return importRsa(rsa, key);
  const elliptic = ECDSA[algorithm];
  if (elliptic) {
    const { curve, hash, size } = elliptic;
    const point = concat(Uint8Array.of(4), key);
    const named = { name: "ECDSA", namedCurve: curve };
    const imported = await crypto.subtle.importKey("raw", point, named, false, ["verify"]);
    return { imported, parameters: { name: "ECDSA", hash }, size: 2 * size };
  }
  const edwards = EDWARDS[algorithm];
  if (edwards?.key !== key.length) throw new RangeError("not a key of a known algorithm");
  const parameters = { name: edwards.name };
  const imported = await crypto.subtle.importKey("raw", key, parameters, false, ["verify"]);
  return { imported, parameters, size: edwards.signature };
}

/** RFC 3110 section 2: the length of the exponent in one octet, or in two after a zero; exponent; modulus. */
async function importRsa(hash: string, key: Bytes): Promise<Imported> {
  const [first = 0, high = 0, low = 0] = key;
  const [start, length] = first > 0 ? [1, first] : [3, high * 0x100 + low];
  const exponent = key.subarray(start, start + length);
  const modulus = key.subarray(start + length);
  const bits = 8 * modulus.length - Math.clz32(modulus[0] ?? 0) + 24;
  const { least, most } = RSA_BITS;
  if (modulus[0] === 0 || bits < least || bits > most || exponent.length > 4)
    throw new RangeError("not a usable RSA key");
  const named = { name: "RSASSA-PKCS1-v1_5", hash };
  const jwk = { kty: "RSA", n: base64url(modulus), e: base64url(exponent) };
  const imported = await crypto.subtle.importKey("jwk", jwk, named, false, ["verify"]);
  return { imported, parameters: { name: named.name }, size: modulus.length };
}

const base64url = (bytes: Uint8Array) =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
