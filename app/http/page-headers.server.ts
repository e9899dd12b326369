import { randomBytes } from "node:crypto";

/** 128 random bits in base64. */
export const newNonce = (): string => randomBytes(16).toString("base64");

/**
 * The Content-Security-Policy of a page: scripts run by nonce only, styles come from files only, and no site may frame
 * it. `nonce` must be new for each response.
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

/** Sets the headers that pages have in addition to their policy and to those of every answer. */
export function setPageHeaders(headers: Headers): void {
  // `no-referrer` would send `Origin: null` with forms, and the origin check would refuse them.
  if (!headers.has("Referrer-Policy")) headers.set("Referrer-Policy", "same-origin");
  headers.set("Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()");
  headers.set("Cross-Origin-Opener-Policy", "same-origin");
  if (!headers.has("Cache-Control")) headers.set("Cache-Control", "no-store");
}
