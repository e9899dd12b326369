import { createHash, createHmac, randomBytes, randomInt, timingSafeEqual } from "node:crypto";
import { join } from "node:path";
import type { Account } from "#app/core/accounts/accounts.server.ts";
import type { Env } from "#app/environment/env.server.ts";
import { ensureSecret } from "#app/environment/kept-secret.server.ts";
import type { App, Secrets } from "#app/http/app.server.ts";
import {
  type Cookie,
  type CookieOptions,
  createCookie,
  createCookieSessionStorage,
} from "#app/remix/node.server.ts";

/** Returns the secrets, newest first. Without SESSION_SECRET, one is kept in the data folder, readable only by its owner. */
export function loadSecrets(env: Pick<Env, "SESSION_SECRET" | "DATA_DIR">): Secrets {
  const [newest, ...older] = env.SESSION_SECRET ?? [];
  if (newest) return [newest, ...older];
  const file = join(env.DATA_DIR, "session-secret");
  const secret = ensureSecret(file, newSecret);
  if (secret.length < 32) throw new Error(`${file} has no secret: delete it and start again`);
  return [secret];
}

export const newSecret = (): string => randomBytes(32).toString("base64url");

export const isSecret = (text: string): boolean => /^[A-Za-z0-9_-]{43}$/.test(text);

/** A plain hash is enough, since the secret cannot be guessed. */
export const hashSecret = (secret: string): string =>
  createHash("sha256").update(secret).digest("base64url");

export const newCode = (): string => String(randomInt(1_000_000)).padStart(6, "0");

export const isCode = (text: string): boolean => /^\d{6}$/.test(text);

export const keyedHash = ([newest]: Secrets, text: string): string => hmac(newest, text);

/** Returns a function that tells in constant time whether a hash is of the text under any of the secrets. */
export function keyedHashMatches(secrets: Secrets, text: string): (hash: string) => boolean {
  const hashes = secrets.map((secret) => Buffer.from(hmac(secret, text)));
  return (hash) => {
    const givenHash = Buffer.from(hash);
    const isSameMac = (mac: Buffer) =>
      mac.length === givenHash.length && timingSafeEqual(mac, givenHash);
    return hashes.map(isSameMac).includes(true);
  };
}

const hmac = (secret: string, text: string) =>
  createHmac("sha256", secret).update(text).digest("base64url");

const codeText = (linkId: string, code: string) => `sign-in code ${linkId} ${code}`;

/** Hashes a code with a key, because somebody could quickly try a million codes; `linkId` is the salt. */
export const hashCode = (secrets: Secrets, linkId: string, code: string): string =>
  keyedHash(secrets, codeText(linkId, code));

export const codeMatches = (secrets: Secrets, linkId: string, code: string, hash: string) =>
  keyedHashMatches(secrets, codeText(linkId, code))(hash);

export function cookieOptions(env: Env, name: string) {
  const secure = env.BASE_URL.startsWith("https:");
  return {
    // On https the prefix prevents other hosts of the domain from setting the cookie (RFC 6265bis, 4.1.3.2).
    name: secure ? `__Host-${name}` : name,
    path: "/",
    httpOnly: true,
    sameSite: "lax",
    secure,
  } as const;
}

/** Undoes Remix's base64 of JSON: the cookies that browsers already have hold the bare value. */
const VERBATIM: CookieOptions = {
  encode: (encoded) => (encoded === "" ? "" : JSON.parse(atob(encoded))),
  decode: (value) => btoa(JSON.stringify(value)),
};

function textCookie(env: Env, name: string): Cookie {
  const options = cookieOptions(env, name);
  return createCookie(options.name, { ...options, ...VERBATIM });
}

export const sessionCookie = (env: Env, token = "", maxAge = 0): Promise<string> =>
  textCookie(env, "session").serialize(token, { maxAge });

export async function sessionToken(env: Env, request: Pick<Request, "headers">) {
  const token = await textCookie(env, "session").parse(request.headers.get("Cookie"));
  return typeof token === "string" && isSecret(token) ? token : null;
}

export const SIGN_IN_STATE_LIFETIME_MS = 15 * 60_000;
const STATE_SECONDS = SIGN_IN_STATE_LIFETIME_MS / 1000;

export const probeCookie = (env: Env): Promise<string> =>
  textCookie(env, "cookies").serialize("kept", { maxAge: STATE_SECONDS });

/** Whether the browser keeps cookies: without them, a sign-in would use up its link and sign nobody in. */
export const keepsCookies = async (env: Env, request: Request): Promise<boolean> =>
  (await textCookie(env, "cookies").parse(request.headers.get("Cookie"))) === "kept";

const PRESS_LIFETIME_SECONDS = 600;
const recordHash = (record: object) => hashSecret(JSON.stringify(record));

/** Tells the next request that in this browser somebody asked at /check for this record. */
export const buttonCookie = (env: Env, record: object): Promise<string> =>
  textCookie(env, "check").serialize(recordHash(record), { maxAge: PRESS_LIFETIME_SECONDS });

export const wasPressed = async (env: Env, request: Request, record: object): Promise<boolean> =>
  (await textCookie(env, "check").parse(request.headers.get("Cookie"))) === recordHash(record);

/** `callbackPath` is a path on this origin, `cookies` the Set-Cookie values for the answer, that of the session first. */
export type SignedIn = { account: Account; callbackPath: string; cookies: string[] };

type SignInState = {
  email: string;
  /** Ties every link requested in this browser to it: their codes only work here (ASVS 6.6.2). */
  browser: string;
  oidc: unknown;
};

/** A short-lived signed cookie in the form that remix-auth needs. */
export const signInStateStorage = ({ env, secrets }: App) =>
  createCookieSessionStorage<SignInState>({
    cookie: { ...cookieOptions(env, "sign-in"), secrets: [...secrets], maxAge: STATE_SECONDS },
  });

export const signInState = (app: App, request: Request) =>
  signInStateStorage(app).getSession(request.headers.get("Cookie"));

/** Ties a requested mail to this browser. `cookie` is a Set-Cookie value with the browser's secret and the address. */
export async function bindToBrowser(app: App, request: Request, email: string) {
  const session = await signInState(app, request);
  const secret = session.get("browser") ?? newSecret();
  session.set("browser", secret);
  session.set("email", email);
  const cookie = await signInStateStorage(app).commitSession(session);
  return { browserHash: hashSecret(secret), cookie };
}

export async function pendingSignIn(app: App, request: Request) {
  const session = await signInState(app, request);
  const secret = session.get("browser");
  return secret ? { browserHash: hashSecret(secret), email: session.get("email") ?? "" } : null;
}

const KNOWN_BROWSER_SECONDS = 365 * 24 * 3_600;
const MAX_ADDRESSES = 5;

/** An entry is an id and a keyed hash of the id and an address: it hides the address, and only a sign-in can make it. */
const ENTRY = /^[\w-]{16}[\w-]{43}$/;
const idOf = (entry: string) => entry.slice(0, 16);
const browserText = (id: string, email: string) => `known browser ${id} ${email}`;

async function entriesOf(app: App, request: Request, email: string) {
  const value = await textCookie(app.env, "known").parse(request.headers.get("Cookie"));
  const entries = String(value)
    .split(".")
    .filter((entry) => ENTRY.test(entry))
    .slice(0, MAX_ADDRESSES);
  const isMatch = (entry: string) =>
    keyedHashMatches(app.secrets, browserText(idOf(entry), email))(entry.slice(16));
  return { known: entries.find(isMatch), others: entries.filter((entry) => !isMatch(entry)) };
}

const knownCookie = (app: App, entries: string[]) =>
  textCookie(app.env, "known").serialize(entries.join("."), {
    maxAge: entries.length > 0 ? KNOWN_BROWSER_SECONDS : 0,
  });

export async function knownBrowserId(app: App, request: Request, email: string) {
  const { known } = await entriesOf(app, request, email);
  return known ? idOf(known) : null;
}

export async function rememberBrowser(app: App, request: Request, email: string): Promise<string> {
  const { known, others } = await entriesOf(app, request, email);
  const id = known ? idOf(known) : randomBytes(12).toString("base64url");
  const entry = id + keyedHash(app.secrets, browserText(id, email));
  return knownCookie(app, [entry, ...others].slice(0, MAX_ADDRESSES));
}

export const forgetBrowser = async (app: App, request: Request, email: string): Promise<string> =>
  knownCookie(app, (await entriesOf(app, request, email)).others);
