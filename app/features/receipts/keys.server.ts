import { HISTORY_TYPE, SUCCESSION_TYPE } from "@deed/receipt/statement.ts";
import { desc, eq, isNull, sql } from "drizzle-orm";
import type { Context, TxContext } from "#app/core/context.server.ts";
import { iso, isoOrNull, notBefore } from "#app/core/time.ts";
import { type Db, prepared, type Tx, write } from "#db/client.ts";
import { signingKeys } from "#db/schema.ts";
import { payloadOf, signJws } from "./signer.server.ts";

const currentKey = prepared((db) =>
  db.select().from(signingKeys).where(isNull(signingKeys.notAfter)),
);

/** Makes this process's key the one that signs, unless it is already, and retires the key before it. */
export function makeKeyCurrent(tx: Tx, ctx: TxContext, now: number): void {
  const { kid, jwk, earlier = [] } = ctx.signer;
  const row = currentKey(tx).get();
  if (row?.kid === kid) return;
  if (row) {
    const oldKey = earlier.find((one) => one.kid === row.kid);
    const succession = oldKey ? signJws(oldKey, SUCCESSION_TYPE, { next: kid }) : null;
    const end = { notAfter: notBefore(row.notBefore, now), succession };
    tx.update(signingKeys).set(end).where(eq(signingKeys.kid, row.kid)).run();
    ctx.log.warn({ before: row.kid, now: kid }, "from now on another key signs receipts");
  }
  tx.insert(signingKeys)
    .values({ kid, x: jwk.x, notBefore: now, notAfter: null })
    .onConflictDoUpdate({ target: signingKeys.kid, set: { notAfter: null, succession: null } })
    .run();
}

/** Makes the process's key current before it signs a receipt, so that the JWK Set has it first. Only on the primary. */
export async function ensureCurrentKey({ db, ...ctx }: Context): Promise<void> {
  if (currentKey(db).get()?.kid !== ctx.signer.kid)
    await write(db, (tx) => makeKeyCurrent(tx, ctx, ctx.clock()));
  ctx.signer.forgetEarlier?.();
}

type KeyRow = typeof signingKeys.$inferSelect;

/** Returns the signed successions from one key to the other; null if one is missing. */
export function successionsFrom(keys: readonly KeyRow[], from: string, to: string) {
  const path: string[] = [];
  for (let current = from; current !== to; ) {
    const succession = keys.find(({ kid }) => kid === current)?.succession;
    if (!succession || path.length === keys.length) return null;
    path.push(succession);
    current = payloadOf(succession).next;
  }
  return path;
}

/** Lists every key that has signed receipts, the current one first. `until` is null for the key that signs now. */
export const listKeys = (db: Db) =>
  db
    .select()
    .from(signingKeys)
    .orderBy(sql`${signingKeys.notAfter} is not null`, desc(signingKeys.notBefore))
    .all()
    .map(({ kid, x, notBefore: start, notAfter, compromisedSince }) => ({
      kid,
      jwk: { crv: "Ed25519" as const, kty: "OKP" as const, x },
      from: iso(start),
      until: isoOrNull(notAfter),
      compromisedSince: isoOrNull(compromisedSince),
    }));

/** Marks a key as known to others since a time; returns false if no such key has signed. */
export const revokeKey = (db: Db, kid: string, since: number): Promise<boolean> =>
  write(db, (tx) => {
    const update = tx.update(signingKeys).set({ compromisedSince: since });
    return update.where(eq(signingKeys.kid, kid)).run().changes > 0;
  });

/** Returns the public keys as a JWK Set (RFC 7517 section 5), the current one first; an unused key has no date. */
export function jwkSet({ db, signer }: Context) {
  const knownKeys = listKeys(db);
  const unusedKey = { ...signer, from: null, until: null, compromisedSince: null };
  const keys = knownKeys.length > 0 ? knownKeys : [unusedKey];
  // A replica may get the next key before the primary does.
  const current = [signer, ...(signer.earlier ?? [])].find(({ kid }) => kid === knownKeys[0]?.kid);
  const dates = knownKeys.map(({ kid, from, until, compromisedSince }) => ({
    ...{ kid, from, ...(until && { until }), ...(compromisedSince && { compromisedSince }) },
  }));
  return {
    keys: keys.map(({ kid, jwk, from, until, compromisedSince }) => ({
      ...jwk,
      kid,
      use: "sig",
      alg: "Ed25519",
      ...(from && { "deed:notBefore": from }),
      ...(until && { "deed:notAfter": until }),
      ...(compromisedSince && { "deed:compromisedSince": compromisedSince }),
    })),
    // The key whose thumbprint people know signs the dates, so that anybody may pass them on.
    ...(current && { "deed:history": signJws(current, HISTORY_TYPE, { keys: dates }) }),
  };
}
