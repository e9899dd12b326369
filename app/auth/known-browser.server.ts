import { randomBytes } from "node:crypto";
import type { App } from "#app/http/app.server.ts";
import { keyedHash, keyedHashMatches } from "./secrets.server.ts";
import { textCookie } from "./session-cookie.server.ts";

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

async function entriesOf(app: App, request: Request): Promise<string[]> {
  const value = await textCookie(app.env, NAME).parse(request.headers.get("Cookie"));
  return String(value)
    .split(".")
    .filter((entry) => ENTRY.test(entry))
    .slice(0, MAX_ADDRESSES);
}

const isFor = (app: App, entry: string, email: string) =>
  keyedHashMatches(app.secrets, text(idOf(entry), email), entry.slice(16));

/** The id under which this browser once signed in to the address; null if it never did. */
export async function knownBrowser(
  app: App,
  request: Request,
  email: string,
): Promise<string | null> {
  const entry = (await entriesOf(app, request)).find((one) => isFor(app, one, email));
  return entry ? idOf(entry) : null;
}

const others = async (app: App, request: Request, email: string) =>
  (await entriesOf(app, request)).filter((entry) => !isFor(app, entry, email));

const cookie = (app: App, entries: string[]) =>
  textCookie(app.env, NAME).serialize(entries.join("."), {
    maxAge: entries.length > 0 ? LIFETIME_SECONDS : 0,
  });

/** The Set-Cookie value that remembers, for a year, that this browser signed in to the address. */
export async function rememberBrowser(app: App, request: Request, email: string): Promise<string> {
  const id = (await knownBrowser(app, request, email)) ?? randomBytes(12).toString("base64url");
  const entry = id + keyedHash(app.secrets, text(id, email));
  return cookie(app, [entry, ...(await others(app, request, email))].slice(0, MAX_ADDRESSES));
}

/** The Set-Cookie value that makes this browser forget it ever signed in to the address. */
export const forgetBrowser = async (app: App, request: Request, email: string): Promise<string> =>
  cookie(app, await others(app, request, email));
