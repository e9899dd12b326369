const HOST = /^(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const NUMBER = /^\d+$|^0x/;
const LOOPBACK: readonly string[] = ["localhost", "127.0.0.1"];
const MAX_HOST = 253;

/** A host that a Content-Security-Policy takes for itself and nothing else: a name in ASCII, without wildcard. */
const isName = (host: string): boolean =>
  host.length <= MAX_HOST && HOST.test(host) && !NUMBER.test(host.split(".").at(-1) ?? "");

/**
 * The origin of a URL as browsers write it: https with a host name, or http on this machine if `allowLocal`. Null for
 * any other URL, and for one with a user name or a password.
 */
export function originOf(url: URL, allowLocal: boolean): string | null {
  const { protocol, hostname, username, password } = url;
  if (username !== "" || password !== "") return null;
  if (protocol === "https:" && isName(hostname)) return url.origin;
  return protocol === "http:" && allowLocal && LOOPBACK.includes(hostname) ? url.origin : null;
}

/** An origin as it was typed, with or without a slash at its end, as browsers write it; null if it is none. */
export function originText(text: string, allowLocal: boolean): string | null {
  const url = URL.parse(text.trim());
  if (url?.pathname !== "/" || /[?#]/.test(text)) return null;
  return originOf(url, allowLocal);
}
