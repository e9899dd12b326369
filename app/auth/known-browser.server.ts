import { randomBytes } from "node:crypto";
import type { App } from "#app/http/app.server.ts";
import { keyedHash, keyedHashMatches } from "./secrets.server.ts";
import { cookieValues, serializedCookie } from "./session-cookie.server.ts";

const NAME = "known";
const LIFETIME_SECONDS = 365 * 24 * 3_600;
/** How many addresses one browser is remembered for; the newest are kept. */
const MAX_ADDRESSES = 5;

/**
 * Each entry is a 16-character id and the keyed hash of that id and an address. The cookie reveals no address, and
 * cannot be forged without having signed in.
 */
const ENTRY = /^[\w-]{16}[\w-]{43}$/;
const idOf = (entry: string) => entry.slice(0, 16);
const text = (id: string, email: string) => `known browser ${id} ${email}`;

const entriesOf = (app: App, request: Request): string[] =>
  cookieValues(app.env, request, NAME)
    .flatMap((value) => value.split("."))
    .filter((entry) => ENTRY.test(entry))
    .slice(0, MAX_ADDRESSES);

const isFor = (app: App, entry: string, email: string) =>
  keyedHashMatches(app.env, text(idOf(entry), email), entry.slice(16));

/** The id under which this browser once signed in to the address; null if it never did. */
export function knownBrowser(app: App, request: Request, email: string): string | null {
  const entry = entriesOf(app, request).find((one) => isFor(app, one, email));
  return entry ? idOf(entry) : null;
}

const others = (app: App, request: Request, email: string) =>
  entriesOf(app, request).filter((entry) => !isFor(app, entry, email));

const cookie = (app: App, entries: string[]) =>
  serializedCookie(app.env, NAME, entries.join("."), entries.length > 0 ? LIFETIME_SECONDS : 0);

/** The Set-Cookie value that remembers, for a year, that this browser signed in to the address. */
export function rememberBrowser(app: App, request: Request, email: string): string {
  const id = knownBrowser(app, request, email) ?? randomBytes(12).toString("base64url");
  const entry = id + keyedHash(app.env, text(id, email));
  return cookie(app, [entry, ...others(app, request, email)].slice(0, MAX_ADDRESSES));
}

/** The Set-Cookie value that makes this browser forget it ever signed in to the address. */
export const forgetBrowser = (app: App, request: Request, email: string): string =>
  cookie(app, others(app, request, email));
