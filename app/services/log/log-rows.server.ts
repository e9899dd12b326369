import { and, asc, eq, gte, isNotNull, isNull, lt, sql } from "drizzle-orm";
import type { Db, Tx } from "#db/client.ts";
import { limitBy, prepared } from "#db/queries.ts";
import { logEntries, logHashes, logMoves, logs } from "#db/schema.ts";
import { type Hash, leafHash, type Subtrees } from "./merkle.ts";

export type LogRow = typeof logs.$inferSelect;
/** The place of an entry. `log`: the last part of the log's origin. */
export type Place = { log: string; index: number };

const given = sql.placeholder;

const current = prepared((db) => db.select().from(logs).where(isNull(logs.endedAt)).prepare());
const named = prepared((db) =>
  db
    .select()
    .from(logs)
    .where(eq(logs.id, given("id")))
    .prepare(),
);
const unsettled = prepared((db) =>
  db
    .select()
    .from(logs)
    .where(and(eq(logs.kid, given("kid")), lt(logs.settled, logs.size), isNotNull(logs.endedAt)))
    .limit(limitBy(1))
    .prepare(),
);

/** The log that entries are appended to; undefined before the first. */
export const currentLog = (db: Db | Tx): LogRow | undefined => current(db).get();

export const logNamed = (db: Db | Tx, id: string): LogRow | undefined => named(db).get({ id });

/** An ended log of this key with entries that no checkpoint covers and no later log has. */
export const unsettledLog = (db: Db | Tx, kid: string): LogRow | undefined =>
  unsettled(db).get({ kid });

const entriesFrom = prepared((db) =>
  db
    .select({ entry: logEntries.entry })
    .from(logEntries)
    .where(and(eq(logEntries.log, given("log")), gte(logEntries.index, given("from"))))
    .orderBy(asc(logEntries.index))
    .limit(limitBy("count"))
    .prepare(),
);
const hashesFrom = prepared((db) =>
  db
    .select({ hash: logHashes.hash })
    .from(logHashes)
    .where(
      and(
        eq(logHashes.log, given("log")),
        eq(logHashes.level, given("level")),
        gte(logHashes.index, given("from")),
      ),
    )
    .orderBy(asc(logHashes.index))
    .limit(limitBy("count"))
    .prepare(),
);

/** At most `count` entries of a log, from an index on. */
export const readEntries = (db: Db | Tx, log: string, from: number, count: number): Buffer[] =>
  entriesFrom(db)
    .all({ log, from, count })
    .map(({ entry }) => entry);

/** The hashes of at most `count` complete subtrees of 2^level entries. */
export const readHashes = (
  db: Db | Tx,
  log: string,
  level: number,
  from: number,
  count: number,
): Hash[] =>
  level === 0
    ? readEntries(db, log, from, count).map(leafHash)
    : hashesFrom(db)
        .all({ log, level, from, count })
        .map(({ hash }) => hash);

/** The complete subtrees of a log. Throws for one that is not there. */
export const subtreesOf =
  (db: Db | Tx, log: string): Subtrees =>
  (level, index) => {
    const [hash] = readHashes(db, log, level, index, 1);
    if (!hash) throw new Error(`log ${log} has no subtree ${index} at level ${level}`);
    return hash;
  };

const move = prepared((db) =>
  db
    .select({ log: logMoves.toLog, index: logMoves.toIndex })
    .from(logMoves)
    .where(and(eq(logMoves.log, given("log")), eq(logMoves.index, given("index"))))
    .prepare(),
);

/** Where an entry was appended anew; undefined if it was not. */
export const movedTo = (db: Db | Tx, place: Place): Place | undefined => move(db).get(place);
