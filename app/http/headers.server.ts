import { randomBytes } from "node:crypto";
import type { Env } from "#app/ops/environment/env.server.ts";

/** Allows an answer opened as a document to load nothing. Pages replace it with their own policy. */
export const CLOSED_POLICY =
  "default-src 'none'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The headers of every answer: page, API, stream, file, or the refusal of an invalid request. */
export const answerHeaders = ({ BASE_URL }: Pick<Env, "BASE_URL">): Record<string, string> => ({
  "X-Content-Type-Options": "nosniff",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Content-Security-Policy": CLOSED_POLICY,
  ...(BASE_URL.startsWith("https:")
    ? { "Strict-Transport-Security": "max-age=31536000; includeSubDomains" }
    : {}),
});

/** 128 random bits in base64. */
export const newNonce = (): string => randomBytes(16).toString("base64");

/**
 * The Content-Security-Policy of a page: scripts run by nonce only, styles come from files only, and no site may frame
 * it. `nonce` must be new for each response; without one no script runs.
 */
export const pagePolicy = (nonce: string | undefined): string =>
  [
    "default-src 'none'",
    nonce === undefined ? "script-src 'none'" : `script-src 'self' 'nonce-${nonce}'`,
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
