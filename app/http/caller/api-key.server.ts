import { isIP } from "node:net";
import { inNetworks } from "@deed/dns/wire/address.ts";
import { eq, sql } from "drizzle-orm";
import ipaddr from "ipaddr.js";
import type { Actor } from "#app/core/accounts/accounts.server.ts";
import { commit } from "#app/core/commit.server.ts";
import type { Context } from "#app/core/context.server.ts";
import { DeedError } from "#app/core/errors.server.ts";
import { isTestKey, keyText, newKeySecret, readKeyText } from "#app/core/ids.server.ts";
import { HOUR, iso, MINUTE } from "#app/core/time.ts";
import type { App } from "#app/http/app.server.ts";
import { prepared } from "#db/client.ts";
import { apiKeys, type Scope } from "#db/schema.ts";
import { keyedHash, keyedHashMatches } from "./cookies.server.ts";
import type { Session } from "./session.server.ts";
import { activeSessions } from "./session-end.server.ts";

const ADDRESS_BITS: Record<number, number> = { 4: 32, 6: 128 };

/** Reads a network, such as `203.0.113.0/24`, or an address; null for anything else and for IPv4 mapped into IPv6. */
export function networkText(text: string): string | null {
  const [address = "", length, ...more] = text.trim().toLowerCase().split("/");
  const family = isIP(address);
  const bits = ADDRESS_BITS[family];
  if (bits === undefined || more.length > 0 || address.includes("%")) return null;
  if (length !== undefined && !/^(0|[1-9]\d{0,2})$/.test(length)) return null;
  const prefixLength = length === undefined ? bits : Number(length);
  if (prefixLength > bits) return null;
  const clientIp = ipaddr.parse(address);
  if (clientIp instanceof ipaddr.IPv6 && clientIp.isIPv4MappedAddress()) return null;
  const cidr = `${address}/${prefixLength}`;
  const network = (family === 4 ? ipaddr.IPv4 : ipaddr.IPv6).networkAddressFromCIDR(cidr);
  return prefixLength === bits ? network.toString() : `${network}/${prefixLength}`;
}

export type KeyRow = typeof apiKeys.$inferSelect;

const hasId = eq(apiKeys.id, sql.placeholder("id"));
const selectKey = prepared((db) => db.select().from(apiKeys).where(hasId));

export const keyById = (ctx: Pick<Context, "db" | "test">, id: string): KeyRow | undefined =>
  selectKey((ctx.test?.real ?? ctx).db).get({ id });

/** Whether a key works with the secret of this hash. `rotationTime` ends a previous secret: for a test key, its world's time. */
export function isInForce(row: KeyRow, hash: string, now: number, rotationTime = now): boolean {
  if (row.expiresAt !== null && row.expiresAt <= now) return false;
  if (hash === row.secretHash) return true;
  const { previousHash, previousUntil, previousPersonId } = row;
  return hash === previousHash && previousPersonId !== null && (previousUntil ?? 0) > rotationTime;
}

/** Whether to record a use at `now`: uses are recorded once an hour, or once a minute from another address. */
export function shouldNoteUse({ lastUsedAt, lastUsedFrom }: KeyRow, address: string, now: number) {
  // The difference is absolute, because the clock may have gone back.
  const apartMs = Math.abs(now - (lastUsedAt ?? Number.NEGATIVE_INFINITY));
  return apartMs >= (lastUsedFrom === address ? HOUR : MINUTE);
}

/** Records when and from where a key was used, and renews the secret's hash with the newest SESSION_SECRET. */
export async function noteUse(
  ctx: Context,
  { id, lastUsedAt, secretHash }: KeyRow,
  use: Pick<KeyRow, "lastUsedAt" | "lastUsedFrom" | "secretHash">,
): Promise<void> {
  const isUnchanged = sql`id = ${id} and secret_hash = ${secretHash} and last_used_at is ${lastUsedAt}`;
  await commit(ctx, (tx) => tx.update(apiKeys).set(use).where(isUnchanged).run());
}

/** A program that acts for a person. `secretHash` is of the secret that it sent, because after a rotation there are two. */
export type KeyBearer = Actor & { keyId: string; scopes: readonly Scope[]; secretHash: string };

export type Caller = Session | KeyBearer;

export const BEARER_CHALLENGE = 'Bearer realm="Deed"';
export const scopeChallenge = (scope: Scope | null): string =>
  `${BEARER_CHALLENGE}, error="insufficient_scope"${scope ? `, scope="${scope}"` : ""}`;

/** Returns the credential after "Bearer" (RFC 9110 section 11.4); null if the request has another scheme or none. */
export function bearerOf(request: Request): string | null {
  const match = /^bearer(?:[ \t]+(.*))?$/i.exec(request.headers.get("Authorization") ?? "");
  return match ? (match[1] ?? "").trim() : null;
}

/** This hash is compared for an unknown id, so that the answer takes as long as for a wrong secret. */
const DUMMY_HASH = "A".repeat(43);

const hashedText = (id: string, secret: string) => `API key ${id} ${secret}`;

export function newKey({ secrets }: Pick<App, "secrets">, id: string) {
  const secret = newKeySecret();
  return { key: keyText(id, secret), secretHash: keyedHash(secrets, hashedText(id, secret)) };
}

export function invalidKey(message?: string) {
  const challenge = `${BEARER_CHALLENGE}, error="invalid_token"`;
  return new DeedError("invalid_api_key", { challenge, ...(message && { message }) });
}

/** Reads the key that a caller sent. Throws invalid_api_key, and says why only to a caller with the right secret. */
export function keyOf(app: App, bearer: string, address: string): KeyBearer {
  const { id, secret } = readKeyText(bearer) ?? { id: "", secret: "" };
  const row = keyById(app, id);
  const text = hashedText(id, secret);
  const matchesHash = keyedHashMatches(app.secrets, text);
  const [isNewest, isPrevious] = [row?.secretHash, row?.previousHash].map((hash) =>
    matchesHash(hash ?? DUMMY_HASH),
  );
  const secretHash = isNewest ? row?.secretHash : isPrevious ? row?.previousHash : null;
  if (!row || !secretHash) throw invalidKey();
  const now = app.clock();
  if (row.expiresAt !== null && row.expiresAt <= now)
    throw invalidKey(`This API key expired on ${iso(row.expiresAt)}.`);
  // A test key's rotation follows the clock of its world, which dispatch checks.
  if (!isInForce(row, secretHash, now, isTestKey(id) ? 0 : now)) throw invalidKey();
  if (row.addresses.length > 0 && !inNetworks(row.addresses)(address))
    throw invalidKey(`This API key may not be used from the address ${address}.`);
  if (shouldNoteUse(row, address, now)) {
    const secretHash = isNewest ? keyedHash(app.secrets, text) : row.secretHash;
    const use = { lastUsedAt: now, lastUsedFrom: address, secretHash };
    // The write is not awaited, because the key is valid even while the database is busy or read-only.
    noteUse(app, row, use).catch((error: unknown) =>
      app.log.debug({ err: error }, "the use of an API key could not be written"),
    );
  }
  const personId = (isNewest ? null : row.previousPersonId) ?? row.personId;
  const { id: keyId, accountId, scopes } = row;
  return { keyId, accountId, personId, scopes, secretHash };
}

export const worldOfKey = async (app: App, accountId: string, keyId: string): Promise<App> =>
  isTestKey(keyId) ? app.testWorlds.forKey(accountId, keyId) : app;

export const credentialOf = (caller: Caller): string =>
  "keyId" in caller ? `${caller.keyId} ${caller.secretHash}` : caller.id;

export function activeCredentials(ctx: Context, credentials: Iterable<string>): Set<string> {
  const distinctCredentials = [...new Set(credentials)];
  const ids = JSON.stringify(distinctCredentials);
  const active = new Set(activeSessions(ctx.db).all(ids, ctx.clock()));
  const keyCredentials = distinctCredentials.filter((credential) => credential.includes(" "));
  const now = (ctx.test?.real ?? ctx).clock();
  for (const credential of keyCredentials) {
    const [id = "", hash = ""] = credential.split(" ");
    const row = keyById(ctx, id);
    if (row && isInForce(row, hash, now, ctx.clock())) active.add(credential);
  }
  return active;
}
