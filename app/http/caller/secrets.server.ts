import { createHash, createHmac, randomBytes, randomInt, timingSafeEqual } from "node:crypto";
import { join } from "node:path";
import type { Secrets } from "#app/http/app.server.ts";
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

/** Whether `text` has the format of a newSecret. */
export const isSecret = (text: string): boolean => /^[A-Za-z0-9_-]{43}$/.test(text);

/** The stored form of a 256-bit secret. A plain hash is enough, because the secret cannot be guessed. */
export const hashSecret = (secret: string): string =>
  createHash("sha256").update(secret).digest("base64url");

/** Six decimal digits. */
export const newCode = (): string => String(randomInt(1_000_000)).padStart(6, "0");

/** Whether `text` has the format of a newCode. */
export const isCode = (text: string): boolean => /^\d{6}$/.test(text);

/** A keyed hash (HMAC-SHA-256) of `text` under the newest secret. */
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

/** Whether `hash` is the hash of `code`. Constant time. */
export const codeMatches = (secrets: Secrets, linkId: string, code: string, hash: string) =>
  keyedHashMatches(secrets, codeText(linkId, code), hash);
