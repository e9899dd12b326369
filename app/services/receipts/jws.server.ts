import { createHash } from "node:crypto";
import { canonicalJson, type Json } from "#app/receipt/canonical.ts";
import type { Signer } from "./signer.server.ts";

const base64url = (octets: Uint8Array | string): string =>
  Buffer.from(octets).toString("base64url");

/** SHA-256 over these parts, one after the other. */
export function sha256(...parts: (Uint8Array | string)[]): Buffer {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest();
}

/** A compact JWS (RFC 7515 section 7.1) by Ed25519 (RFC 8037) over the canonical JSON of `claims`, with its key. */
export function signJws({ kid, jwk, sign }: Signer, type: string, claims: Json): string {
  const header = canonicalJson({ alg: "EdDSA", jwk, kid, typ: type });
  const input = `${base64url(header)}.${base64url(canonicalJson(claims))}`;
  return `${input}.${base64url(sign(Buffer.from(input)))}`;
}

/** The log's entry for a JWS: its hash, 32 octets. */
export const entryOf = (jws: string): Buffer => sha256(jws);
