import { createHash, createHmac, randomBytes, randomInt, timingSafeEqual } from "node:crypto";
import { join } from "node:path";
import {
  type Cookie,
  type CookieOptions,
  createCookie,
  createCookieSessionStorage,
} from "@remix-run/node";
import type { Account } from "#app/core/accounts/accounts.server.ts";
import type { App, Secrets } from "#app/http/app.server.ts";
import type { Env } from "#app/ops/environment/env.server.ts";
import { keptSecret } from "#app/ops/environment/kept-secret.server.ts";

/**
 * Loads the secrets that sign cookies and key the hashes of codes, newest first. Without SESSION_SECRET, one is
 * generated and kept in the data folder, readable only by its owner.
 */
export function loadSecrets(env: Pick<Env, "SESSION_SECRET" | "DATA_DIR">): Secrets {
  const [newest, ...older] = env.SESSION_SECRET ?? [];
  if (newest) return [newest, ...older];
  const file = join(env.DATA_DIR, "session-secret");
  const secret = keptSecret(file, newSecret);
  if (secret.length < 32) throw new Error(`${file} holds no secret: delete it and start again`);
  return [secret];
}

/** 256 random bits, URL-safe, 43 characters. */
export const newSecret = (): string => randomBytes(32).toString("base64url");

export const isSecret = (text: string): boolean => /^[A-Za-z0-9_-]{43}$/.test(text);

/** The stored form of a 256-bit secret. A plain hash is enough, because the secret cannot be guessed. */
export const hashSecret = (secret: string): string =>
  createHash("sha256").update(secret).digest("base64url");

export const newCode = (): string => String(randomInt(1_000_000)).padStart(6, "0");

export const isCode = (text: string): boolean => /^\d{6}$/.test(text);

/** HMAC-SHA-256 under the newest secret. */
export const keyedHash = ([newest]: Secrets, text: string): string => hmac(newest, text);

/** Whether `hash` is the keyed hash of `text` under any of the secrets in use. Constant time. */
export function keyedHashMatches(secrets: Secrets, text: string, hash: string): boolean {
  const given = Buffer.from(hash);
  return secrets
    .map((secret) => {
      const made = Buffer.from(hmac(secret, text));
      return made.length === given.length && timingSafeEqual(made, given);
    })
    .includes(true);
}

const hmac = (secret: string, text: string) =>
  createHmac("sha256", secret).update(text).digest("base64url");

const codeText = (linkId: string, code: string) => `sign-in code ${linkId} ${code}`;

/** The stored form of a code. Keyed, because a million codes are quickly tried; salted with `linkId`. */
export const hashCode = (secrets: Secrets, linkId: string, code: string): string =>
  keyedHash(secrets, codeText(linkId, code));

/** Constant time. */
export const codeMatches = (secrets: Secrets, linkId: string, code: string, hash: string) =>
  keyedHashMatches(secrets, codeText(linkId, code), hash);

/** The name and attributes of one of the service's cookies. */
export function cookieOptions(env: Env, name: string) {
  const secure = env.BASE_URL.startsWith("https:");
  return {
    // On https the prefix keeps other hosts of the domain from planting a cookie (RFC 6265bis, 4.1.3.2).
    name: secure ? `__Host-${name}` : name,
    path: "/",
    httpOnly: true,
    sameSite: "lax",
    secure,
  } as const;
}

/** Undoes Remix's base64 of JSON: a value is sent as it is, as in the cookies that browsers already hold. */
const VERBATIM: CookieOptions = {
  encode: (encoded) => (encoded === "" ? "" : JSON.parse(atob(encoded))),
  decode: (value) => btoa(JSON.stringify(value)),
};

/** A cookie whose value is ASCII text that needs no escaping. */
function textCookie(env: Env, name: string): Cookie {
  const options = cookieOptions(env, name);
  return createCookie(options.name, { ...options, ...VERBATIM });
}

/** The Set-Cookie value that gives the browser a session's token for `maxAge` seconds; without a token, clears it. */
export const sessionCookie = (env: Env, token = "", maxAge = 0): Promise<string> =>
  textCookie(env, "session").serialize(token, { maxAge });

/** The session token the request carries; null if it has none or it is malformed. */
export async function sessionToken(
  env: Env,
  request: Pick<Request, "headers">,
): Promise<string | null> {
  const token = await textCookie(env, "session").parse(request.headers.get("Cookie"));
  return typeof token === "string" && isSecret(token) ? token : null;
}

/** How long a sign-in may take from start to return. */
export const SIGN_IN_STATE_LIFETIME_MS = 15 * 60_000;

/** The Set-Cookie value that a page before a sign-in sends, to learn whether the browser keeps cookies. */
export const probeCookie = (env: Env): Promise<string> =>
  textCookie(env, "cookies").serialize("kept", { maxAge: SIGN_IN_STATE_LIFETIME_MS / 1000 });

/** Whether the browser sent the probe back. Without cookies a sign-in would use up its link and sign nobody in. */
export const keepsCookies = async (env: Env, request: Request): Promise<boolean> =>
  (await textCookie(env, "cookies").parse(request.headers.get("Cookie"))) === "kept";

/** Who has signed in, where to go next (a path on this origin), and the answer's Set-Cookie values, the session's first. */
export type SignedIn = { account: Account; callbackPath: string; cookies: string[] };

/** What a browser must remember during a sign-in. It grants no access. */
type SignInState = {
  /** The address a mail was requested for, to show on the next page. */
  email: string;
  /** The secret that ties every link requested in this browser to it: codes work only with it (ASVS 6.6.2). */
  browser: string;
  /** The trip to the identity provider (oidc.server.ts). */
  oidc: unknown;
};

/** A short-lived signed cookie, as the session storage that remix-auth requires. */
export const signInStateStorage = ({ env, secrets }: App) =>
  createCookieSessionStorage<SignInState>({
    cookie: {
      ...cookieOptions(env, "sign-in"),
      secrets: [...secrets],
      maxAge: SIGN_IN_STATE_LIFETIME_MS / 1000,
    },
  });

/**
 * Ties a requested mail to the requesting browser. Returns the hash of the browser's secret, created on its first
 * request, and the Set-Cookie value that keeps the secret and the address for 15 minutes.
 */
export async function bindToBrowser(app: App, request: Request, email: string) {
  const storage = signInStateStorage(app);
  const session = await storage.getSession(request.headers.get("Cookie"));
  const secret = session.get("browser") ?? newSecret();
  session.set("browser", secret);
  session.set("email", email);
  return { browserHash: hashSecret(secret), cookie: await storage.commitSession(session) };
}

/** What this browser requested in the last 15 minutes; null if nothing, or if it keeps no cookies. */
export async function pendingSignIn(app: App, request: Request) {
  const session = await signInStateStorage(app).getSession(request.headers.get("Cookie"));
  const secret = session.get("browser");
  return secret ? { browserHash: hashSecret(secret), email: session.get("email") ?? "" } : null;
}

const KNOWN_SECONDS = 365 * 24 * 3_600;
/** How many addresses one browser is remembered for; the newest are kept. */
const MAX_ADDRESSES = 5;

/**
 * Each entry is a 16-character id and the keyed hash of that id and an address. The cookie reveals no address, and
 * cannot be forged without having signed in.
 */
const ENTRY = /^[\w-]{16}[\w-]{43}$/;
const idOf = (entry: string) => entry.slice(0, 16);
const text = (id: string, email: string) => `known browser ${id} ${email}`;

async function entriesOf(app: App, request: Request, email: string) {
  const value = await textCookie(app.env, "known").parse(request.headers.get("Cookie"));
  const entries = String(value)
    .split(".")
    .filter((entry) => ENTRY.test(entry))
    .slice(0, MAX_ADDRESSES);
  const isOwn = (entry: string) =>
    keyedHashMatches(app.secrets, text(idOf(entry), email), entry.slice(16));
  return { own: entries.find(isOwn), others: entries.filter((entry) => !isOwn(entry)) };
}

const knownCookie = (app: App, entries: string[]) =>
  textCookie(app.env, "known").serialize(entries.join("."), {
    maxAge: entries.length > 0 ? KNOWN_SECONDS : 0,
  });

/** The id under which this browser once signed in to the address; null if it never did. */
export async function knownBrowser(app: App, request: Request, email: string) {
  const { own } = await entriesOf(app, request, email);
  return own ? idOf(own) : null;
}

/** The Set-Cookie value that remembers, for a year, that this browser signed in to the address. */
export async function rememberBrowser(app: App, request: Request, email: string): Promise<string> {
  const { own, others } = await entriesOf(app, request, email);
  const id = own ? idOf(own) : randomBytes(12).toString("base64url");
  const entry = id + keyedHash(app.secrets, text(id, email));
  return knownCookie(app, [entry, ...others].slice(0, MAX_ADDRESSES));
}

/** The Set-Cookie value that makes this browser forget it ever signed in to the address. */
export const forgetBrowser = async (app: App, request: Request, email: string): Promise<string> =>
  knownCookie(app, (await entriesOf(app, request, email)).others);
