import type { Bytes } from "./records.ts";

export const toHex = (bytes: Uint8Array): string =>
  Array.from(bytes, (octet) => octet.toString(16).padStart(2, "0")).join("");

/** Writes base64 (RFC 4648 section 4). */
export const toBase64 = (bytes: Uint8Array): string =>
  btoa(Array.from(bytes, (octet) => String.fromCharCode(octet)).join(""));

/** Writes base64url without padding (RFC 4648 section 5). */
export const toBase64Url = (bytes: Uint8Array): string =>
  toBase64(bytes).replace(/\+/g, "-").replace(/\//g, "_").replace(/=/g, "");

/** Reads text exactly as `encode` writes it; null for any other text. */
export function fromBase64(text: string, encode = toBase64): Bytes | null {
  try {
    const binary = atob(text.replace(/-/g, "+").replace(/_/g, "/"));
    const bytes = Uint8Array.from(binary, (octet) => octet.charCodeAt(0));
    return encode(bytes) === text ? bytes : null;
  } catch {
    return null;
  }
}

export const fromBase64Url = (text: string): Bytes | null => fromBase64(text, toBase64Url);
