import { toBase64Url } from "@deed/dns/dnssec/base64.ts";
import { isSoundEd25519 } from "@deed/dns/dnssec/ed25519.ts";
import { type Bytes, concat } from "@deed/dns/dnssec/records.ts";

/** An Ed25519 public key (RFC 8037), with or without the further members of a key set. */
export type Jwk = { crv: string; kty: string; x: string };

export const utf8 = (text: string): Bytes => new TextEncoder().encode(text);

export const sha256 = async (...parts: Uint8Array[]): Promise<Bytes> =>
  new Uint8Array(await crypto.subtle.digest("SHA-256", concat(...parts)));

/** RFC 7638 section 3, as base64url; of a text, itself. */
export const thumbprintOf = async (key: Jwk | string): Promise<string> =>
  typeof key === "string" ? key : toBase64Url(await sha256(utf8(requiredMembers(key))));

const requiredMembers = ({ crv, kty, x }: Jwk) => JSON.stringify({ crv, kty, x });

/** The base point, which every platform that knows the curve accepts. */
const SOME_KEY = Uint8Array.from({ length: 32 }, (_, at) => (at === 0 ? 0x58 : 0x66));

const importKey = (key: Bytes) =>
  crypto.subtle.importKey("raw", key, "Ed25519", false, ["verify"]).catch(() => null);

/** Whether this platform can check signatures. */
export const hasEd25519 = async (): Promise<boolean> =>
  globalThis.crypto?.subtle !== undefined && (await importKey(SOME_KEY)) !== null;

export async function isSignedBy(raw: Bytes, signature: Bytes, data: Bytes): Promise<boolean> {
  const key = isSoundEd25519(raw, signature) ? await importKey(raw) : null;
  return key !== null && (await crypto.subtle.verify("Ed25519", key, signature, data));
}
