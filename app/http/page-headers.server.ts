/**
 * Headers every page is sent with. Scripts run by nonce alone, styles come from files alone, nobody frames a page.
 * `nonce` is this response's; `https` says whether the service is reached over TLS.
 */
export function setPageHeaders(
  headers: Headers,
  { nonce, https }: { nonce: string; https: boolean },
): void {
  const policy = [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    "style-src 'self'",
    "img-src 'self'",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ];
  headers.set("Content-Security-Policy", policy.join("; "));
  headers.set("X-Content-Type-Options", "nosniff");
  // `no-referrer` would send `Origin: null` with forms, and the origin check would refuse them.
  if (!headers.has("Referrer-Policy")) headers.set("Referrer-Policy", "same-origin");
  headers.set("Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()");
  headers.set("Cross-Origin-Opener-Policy", "same-origin");
  if (!headers.has("Cache-Control")) headers.set("Cache-Control", "no-store");
  if (https) headers.set("Strict-Transport-Security", "max-age=31536000; includeSubDomains");
}
