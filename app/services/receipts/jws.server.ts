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

function compact(signer: Signer, header: Json, claims: Json): string {
  const input = `${base64url(canonicalJson(header))}.${base64url(canonicalJson(claims))}`;
  return `${input}.${base64url(signer.sign(Buffer.from(input)))}`;
}

/** A compact JWS (RFC 7515 section 7.1) by Ed25519 (RFC 8037) over the canonical JSON of `claims`, with its key. */
export const signJws = (signer: Signer, type: string, claims: Json): string =>
  compact(signer, { alg: "EdDSA", jwk: signer.jwk, kid: signer.kid, typ: type }, claims);

/** The same without its key, for readers who have the JWK Set and must take no key from the JWS itself. */
export const signBriefJws = (signer: Signer, type: string, claims: Json): string =>
  compact(signer, { alg: "EdDSA", kid: signer.kid, typ: type }, claims);

/** The log's entry for a JWS: its hash, 32 octets. */
export const entryOf = (jws: string): Buffer => sha256(jws);
