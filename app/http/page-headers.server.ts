import { randomFillSync } from "node:crypto";

const NONCE_BYTES = 16;
/** Random bytes for many nonces: asked for singly, they cost as much as the page's reads. */
const pool = Buffer.alloc(256 * NONCE_BYTES);
let used = pool.length;

/** 128 random bits, never given out twice, in base64. */
export function newNonce(): string {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += NONCE_BYTES;
  return pool.toString("base64", used - NONCE_BYTES, used);
}

/**
 * A page's Content-Security-Policy. Scripts run by nonce alone, styles come from files alone, nobody frames a page.
 * `nonce` is this response's.
 */
export const pagePolicy = (nonce: string): string =>
  [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    "style-src 'self'",
    "img-src 'self'",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "object-src 'none'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");

/** Headers every page is sent with, beside its policy and those of every answer. */
export function setPageHeaders(headers: Headers): void {
  // `no-referrer` would send `Origin: null` with forms, and the origin check would refuse them.
  if (!headers.has("Referrer-Policy")) headers.set("Referrer-Policy", "same-origin");
  headers.set("Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()");
  headers.set("Cross-Origin-Opener-Policy", "same-origin");
  if (!headers.has("Cache-Control")) headers.set("Cache-Control", "no-store");
}
