import { toBase64Url } from "@deed/dns/dnssec/base64.ts";
import { type Bytes, concat } from "@deed/dns/dnssec/records.ts";

/** An Ed25519 public key (RFC 8037), perhaps with the other members of a key set. */
export type Jwk = { crv: string; kty: string; x: string };

export const utf8 = (text: string): Bytes => new TextEncoder().encode(text);

export const sha256 = async (...parts: Uint8Array[]): Promise<Bytes> =>
  new Uint8Array(await crypto.subtle.digest("SHA-256", concat(...parts)));

/** The thumbprint of a key (RFC 7638 section 3), as base64url. A text counts as a thumbprint already. */
export async function thumbprintOf(key: Jwk | string): Promise<string> {
  if (typeof key === "string") return key;
  const { crv, kty, x } = key;
  return toBase64Url(await sha256(utf8(JSON.stringify({ crv, kty, x }))));
}

/** The curve's base point, a key that every platform with Ed25519 accepts. */
const BASE_POINT = Uint8Array.from({ length: 32 }, (_, at) => (at === 0 ? 0x58 : 0x66));

export const hasEd25519 = async (): Promise<boolean> =>
  globalThis.crypto?.subtle !== undefined &&
  crypto.subtle
    .importKey("raw", BASE_POINT, "Ed25519", false, ["verify"])
    .then(Boolean, () => false);
