import { desc, eq, getTableColumns } from "drizzle-orm";
import {
  accountLog,
  logAccountEvent,
  type Person,
  timeOfNthNewest,
} from "#app/core/accounts/accounts.server.ts";
import { commit } from "#app/core/commit.server.ts";
import type { Context } from "#app/core/context.server.ts";
import { DeedError, invalidField, orThrow } from "#app/core/errors.server.ts";
import { DAY, HOUR, iso, isoFields, isoOrNull } from "#app/core/time.ts";
import { isInForce, type KeyRow } from "#app/http/caller/api-key.server.ts";
import type { Db, Tx } from "#db/client.ts";
import { apiKeys, people } from "#db/schema.ts";
import { endWebhooksOfKey, webhooksOf } from "../webhooks/webhooks.server.ts";
import type { ApiKey } from "./resources.ts";

/** The most keys of an account; a database trigger has the same limit. */
export const MAX_KEYS = 20;
/** How long a key's previous secret still works after a rotation. */
export const OVERLAP_HOURS = 24;
/** The most keys that an account may create in an hour, because each has its own budget. */
const HOURLY_KEYS = 40;
/** A notice tells the account about a key this long before the key expires. */
const ENDS_SOON_MS = 14 * DAY;

const rowsOfAccount = (db: Db | Tx, accountId: string) =>
  db
    .select({ ...getTableColumns(apiKeys), createdBy: people.email })
    .from(apiKeys)
    .innerJoin(people, eq(people.id, apiKeys.personId))
    .where(eq(apiKeys.accountId, accountId))
    .orderBy(desc(apiKeys.createdAt), desc(apiKeys.id))
    .all();

function toResource(row: KeyRow & { createdBy: string }, now: number): ApiKey {
  const { id, name, scopes, addresses, createdBy, lastUsedFrom, previousHash } = row;
  const overlaps = previousHash !== null && isInForce(row, previousHash, now);
  return {
    ...{ id, name, scopes, addresses, createdBy, lastUsedFrom },
    ...isoFields(row, "createdAt", "rotatedAt", "expiresAt", "lastUsedAt"),
    previousUntil: isoOrNull(overlaps ? row.previousUntil : null),
  };
}

export function listKeys(ctx: Context, accountId: string): ApiKey[] {
  const now = ctx.clock();
  return rowsOfAccount(ctx.db, accountId).map((row) => toResource(row, now));
}

/** Returns the name of the last revoked key, if the log still has it. */
export const lastRevokedKey = (ctx: Context, accountId: string) =>
  accountLog(ctx, accountId, 1e4).events.find(({ kind }) => kind === "key_revoked")?.subject;

export function endingKeys(ctx: Context, accountId: string): ApiKey[] {
  const now = ctx.clock();
  const [from, to] = [iso(now), iso(now + ENDS_SOON_MS)];
  return listKeys(ctx, accountId)
    .filter(({ expiresAt }) => expiresAt !== null && expiresAt > from && expiresAt <= to)
    .sort((a, b) => ((a.expiresAt ?? "") < (b.expiresAt ?? "") ? -1 : 1));
}

function getKey(db: Db | Tx, accountId: string, id: string) {
  const row = rowsOfAccount(db, accountId).find((one) => one.id === id);
  return orThrow(row, "key_not_found");
}

/** A key to create. `addresses` are networks (networkText), and `expiresAt` is in epoch milliseconds. */
type NewKey = Pick<KeyRow, "id" | "name" | "scopes" | "addresses" | "expiresAt" | "secretHash">;

/** Creates a key. Throws too_many_keys, rate_limited, and invalid_request if it would have expired already. */
export async function createKey(ctx: Context, { accountId, personId, email }: Person, key: NewKey) {
  const created = await commit(ctx, (tx, _, createdAt) => {
    if (rowsOfAccount(tx, accountId).length >= MAX_KEYS) throw new DeedError("too_many_keys");
    const waitMs =
      (timeOfNthNewest(tx, accountId, "key_created", HOURLY_KEYS) ?? 0) + HOUR - createdAt;
    if (waitMs > 0)
      throw new DeedError("rate_limited", {
        message: `This account created ${HOURLY_KEYS} API keys within an hour, the maximum for any account. Rotate a key to replace it.`,
        budget: "newKeys",
        retryAfter: Math.min(3_600, Math.ceil(waitMs / 1000)),
      });
    if (key.expiresAt !== null && key.expiresAt <= createdAt)
      throw invalidField("expiresAt", "is in the past");
    const row = { ...key, accountId, personId, createdAt };
    tx.insert(apiKeys).values(row).run();
    logAccountEvent(tx, accountId, "key_created", createdAt, { email, subject: key.name });
    return toResource(getKey(tx, accountId, key.id), createdAt);
  });
  ctx.log.info({ account: accountId, key: key.id }, "API key created");
  return created;
}

/** Gives a key a new secret and the acting person as its owner; the old one ends by `world`'s clock. Throws key_not_found. */
export async function rotateKey(
  ctx: Context,
  { accountId, personId, email }: Person,
  id: string,
  secretHash: string,
  world: Pick<Context, "clock"> = ctx,
): Promise<ApiKey> {
  const rotated = await commit(ctx, (tx, _, now) => {
    const row = getKey(tx, accountId, id);
    if (!isInForce(row, row.secretHash, now))
      throw new DeedError("key_not_found", {
        message: "This API key has expired. Create another.",
      });
    const leftMs = (row.expiresAt ?? Number.POSITIVE_INFINITY) - now;
    const previousUntil = world.clock() + Math.min(OVERLAP_HOURS * HOUR, leftMs);
    const previous = {
      previousHash: row.secretHash,
      previousPersonId: row.personId,
      previousUntil,
    };
    const changes = { secretHash, personId, rotatedAt: now, ...previous };
    tx.update(apiKeys).set(changes).where(eq(apiKeys.id, id)).run();
    logAccountEvent(tx, accountId, "key_rotated", now, { email, subject: row.name });
    return toResource(getKey(tx, accountId, id), now);
  });
  ctx.log.info({ account: accountId, key: id }, "API key rotated");
  ctx.feed.wake(accountId);
  return rotated;
}

/** Names the webhooks that end with a key, and those that its person may have made with it. Throws key_not_found. */
export function keyToRevoke(ctx: Context, accountId: string, id: string, world: Context) {
  const { scopes, personId } = getKey(ctx.db, accountId, id);
  const urlsOf = (owner: string) => webhooksOf(world.db, accountId, owner).map(({ url }) => url);
  const ending = urlsOf(id);
  const otherUrls = urlsOf(world.test?.person.personId ?? personId);
  const isUnknown = (url: string) => scopes.includes("webhooks:manage") && !ending.includes(url);
  return { ending, unknown: otherUrls.filter(isUnknown) };
}

/** Ends a key, its event streams, and its webhooks in `world` (the service or a test world). Throws key_not_found. */
export async function revokeKey(ctx: Context, by: Person, id: string, world = ctx) {
  const { accountId, email } = by;
  const ended = await commit(ctx, (tx, _, now) => {
    const { name } = getKey(tx, accountId, id);
    tx.delete(apiKeys).where(eq(apiKeys.id, id)).run();
    logAccountEvent(tx, accountId, "key_revoked", now, { email, subject: name });
    return endWebhooksOfKey(tx, accountId, id, now);
  });
  ctx.log.info({ account: accountId, key: id }, "API key revoked");
  ctx.feed.wake(accountId);
  if (world === ctx) return ended;
  return commit(world, (tx, _, now) => endWebhooksOfKey(tx, accountId, id, now));
}
