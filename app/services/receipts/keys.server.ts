import { desc, eq, isNull } from "drizzle-orm";
import { type Db, type Tx, write } from "#db/client.ts";
import { prepared } from "#db/queries.ts";
import { signingKeys } from "#db/schema.ts";
import type { Context, TxContext } from "../context.server.ts";
import { isCovered } from "../log/checkpoints.server.ts";
import { appendEntry } from "../log/log.server.ts";
import { currentLog, unsettledLog } from "../log/log-rows.server.ts";
import { iso, isoOrNull, notBefore } from "../time.ts";
import { entryOf, signJws } from "./jws.server.ts";
import type { PublicJwk, Signer } from "./signer.server.ts";

type KeyRow = typeof signingKeys.$inferSelect;

export const SUCCESSION_TYPE = "deed-key+jwt";

const currentKey = prepared((db) =>
  db.select().from(signingKeys).where(isNull(signingKeys.notAfter)).prepare(),
);

const setKey = (tx: Tx, kid: string, change: Partial<KeyRow>) =>
  tx.update(signingKeys).set(change).where(eq(signingKeys.kid, kid)).run();

/** A key that comes back after another has signed is current again. */
function makeCurrent(tx: Tx, { kid, jwk }: Signer, now: number): KeyRow {
  const fresh = { notAfter: null, succession: null };
  return tx
    .insert(signingKeys)
    .values({ kid, x: jwk.x, notBefore: now, ...fresh })
    .onConflictDoUpdate({ target: signingKeys.kid, set: fresh })
    .returning()
    .get();
}

const retire = (tx: Tx, { kid, notBefore: start }: KeyRow, now: number) =>
  setKey(tx, kid, { notAfter: notBefore(start, now) });

/**
 * Makes `ctx.keys` sign with the current key of the database. If this process does not hold that, its own newest key
 * becomes current, without a word of the other.
 */
export function followKey(tx: Tx, ctx: TxContext, now: number): KeyRow {
  const row = currentKey(tx).get();
  if (row && ctx.keys.use(row.kid)) return row;
  const { newest } = ctx.keys;
  if (row) {
    retire(tx, row, now);
    ctx.log.warn(
      { before: row.kid, now: newest.kid },
      "the key that signed receipts before is not here: from now on another signs",
    );
  }
  ctx.keys.use(newest.kid);
  return makeCurrent(tx, newest, now);
}

/** One step of a rotation; true once the newest key is the current one. */
function rotate(tx: Tx, ctx: TxContext, now: number): boolean {
  const row = followKey(tx, ctx, now);
  const { newest } = ctx.keys;
  if (row.kid === newest.kid) return true;
  if (row.succession === null) {
    const claims = {
      iss: ctx.settings.baseUrl,
      iat: Math.floor(now / 1_000),
      successor: newest.jwk,
      successorKid: newest.kid,
    };
    const succession = signJws(ctx.keys, SUCCESSION_TYPE, claims);
    setKey(tx, row.kid, { succession });
    appendEntry(tx, ctx, entryOf(succession));
    return false;
  }
  const log = currentLog(tx);
  // What the old key signed gets its proofs from a log of that key, so that log must be complete first.
  if (log?.kid !== row.kid || !isCovered(log) || unsettledLog(tx, row.kid)) return false;
  retire(tx, row, now);
  makeCurrent(tx, newest, now);
  ctx.keys.use(newest.kid);
  appendEntry(tx, ctx, entryOf(row.succession));
  return true;
}

/**
 * Makes the newest key of this process the one that signs: at once if none has signed before, else by a rotation, in
 * which the key before it names it and the log of that key gets its last checkpoint. Called again and again, on the
 * primary alone.
 */
export async function settleKeys(ctx: Context): Promise<void> {
  const { db, ...rest } = ctx;
  const { keys } = ctx;
  const isSettled = () => currentKey(db).get()?.kid === keys.newest.kid;
  if (isSettled() && keys.kid === keys.newest.kid && !keys.hasFormer) return;
  const isDone = await write(db, (tx) => rotate(tx, rest, ctx.clock()));
  if (isDone) keys.forgetFormer();
}

const everyKey = prepared((db) =>
  db.select().from(signingKeys).orderBy(desc(signingKeys.notBefore)).prepare(),
);

/** `from` null: not used yet. `until` null: signs now. `succession`: by which it named the next. */
export type ListedKey = {
  kid: string;
  jwk: PublicJwk;
  from: string | null;
  until: string | null;
  succession: string | null;
};

const listed = ({ kid, x, notBefore: start, notAfter, succession }: KeyRow): ListedKey => ({
  kid,
  jwk: { crv: "Ed25519", kty: "OKP", x },
  from: iso(start),
  until: isoOrNull(notAfter),
  succession,
});

/** Every key that has signed receipts, the current one first. */
export const listKeys = (db: Db): ListedKey[] =>
  everyKey(db)
    .all()
    .map(listed)
    .sort((a, b) => Number(a.until !== null) - Number(b.until !== null));

/**
 * The key that signs now as every node publishes it: a replica may hold the next one already, which the JWK Set lacks.
 */
export function publishedSigner({ db, keys }: Pick<Context, "db" | "keys">): Signer {
  const row = currentKey(db).get();
  return (row && keys.holding(row.kid)) ?? keys;
}

/** The public keys as a JWK Set (RFC 7517 section 5), the current one first. */
export function jwkSet(ctx: Context): { keys: Record<string, string>[] } {
  const known = listKeys(ctx.db);
  const { kid, jwk } = ctx.signer;
  const unused: ListedKey = { kid, jwk, from: null, until: null, succession: null };
  const keys = known.length > 0 ? known : [unused];
  return {
    keys: keys.map(({ kid, jwk, from, until, succession }) => ({
      ...jwk,
      kid,
      use: "sig",
      alg: "EdDSA",
      ...(from && { "deed:notBefore": from }),
      ...(until && { "deed:notAfter": until }),
      ...(succession && { "deed:succession": succession }),
    })),
  };
}
