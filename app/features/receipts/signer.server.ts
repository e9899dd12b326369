import { createHash, createPrivateKey, createPublicKey, sign } from "node:crypto";
import { canonicalJson } from "@deed/receipt/statement.ts";
import type { Json } from "@deed/receipt/strict-json.ts";

declare module "#app/core/context.server.ts" {
  interface Context {
    signer: Signer;
  }
}

/** The public half of a signing key (RFC 8037). `x`: 32 octets, base64url. */
export type PublicJwk = { crv: "Ed25519"; kty: "OKP"; x: string };

/** An Ed25519 key (RFC 8032). `kid`: its thumbprint (RFC 7638), base64url. */
export type Signer = {
  kid: string;
  jwk: PublicJwk;
  /** The signature of 64 octets. */
  sign(octets: Uint8Array): Uint8Array;
};

/** PKCS #8 of an Ed25519 key up to its seed (RFC 8410 section 7). */
const PKCS8 = Buffer.from("302e020100300506032b657004220420", "hex");

export function sha256(...parts: (Uint8Array | string)[]): Buffer {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest();
}

/** The RFC 7638 thumbprint of a public key, base64url. */
export const thumbprint = ({ crv, kty, x }: PublicJwk): string =>
  sha256(canonicalJson({ crv, kty, x })).toString("base64url");

/** The key whose private half is these 64 hexadecimal digits. */
export function signerOf(seed: string): Signer {
  const der = Buffer.concat([PKCS8, Buffer.from(seed, "hex")]);
  const key = createPrivateKey({ key: der, format: "der", type: "pkcs8" });
  const { x = "" } = createPublicKey(key).export({ format: "jwk" });
  const jwk: PublicJwk = { crv: "Ed25519", kty: "OKP", x };
  return { kid: thumbprint(jwk), jwk, sign: (octets) => sign(null, octets, key) };
}

const base64url = (text: string): string => Buffer.from(text).toString("base64url");

/** A compact JWS (RFC 7515 section 7.1) by Ed25519 (RFC 8037) over the canonical JSON of `claims`, with its key. */
export function signJws(signer: Signer, type: string, claims: Json): string {
  const header = canonicalJson({ alg: "EdDSA", jwk: signer.jwk, kid: signer.kid, typ: type });
  const input = `${base64url(header)}.${base64url(canonicalJson(claims))}`;
  return `${input}.${Buffer.from(signer.sign(Buffer.from(input))).toString("base64url")}`;
}
