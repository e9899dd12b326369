import { sql } from "drizzle-orm";
import {
  blob,
  check,
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";
import { instant } from "./columns.ts";

/**
 * Transparency logs, ended ones included: one origin, one key and one history each. The current one has no end
 * (app/services/log).
 */
export const logs = sqliteTable(
  "logs",
  {
    /** The last part of its origin: 8 random hexadecimal digits. */
    id: text("id").primaryKey(),
    origin: text("origin").notNull().unique(),
    /** Thumbprint of its key. */
    kid: text("kid").notNull(),
    /** How many entries it has. */
    size: integer("size").notNull().default(0),
    /** The entries before this one are covered by the checkpoint, or were appended to a later log. */
    settled: integer("settled").notNull().default(0),
    /** The newest checkpoint, and how many entries it covers. */
    checkpoint: text("checkpoint"),
    checkpointSize: integer("checkpoint_size").notNull().default(0),
    /** The stamp of the memory of what was signed (SignedTreeMemory). */
    stamp: text("stamp"),
    /** When the oldest entry that the checkpoint does not cover was appended. */
    waitingSince: instant("waiting_since"),
    begunAt: instant("begun_at").notNull(),
    endedAt: instant("ended_at"),
  },
  (t) => [
    uniqueIndex("logs_one_current")
      .on(sql`(${t.endedAt} is null)`)
      .where(sql`${t.endedAt} is null`),
    index("logs_unsettled").on(t.kid).where(sql`${t.settled} < ${t.size}`),
    check(
      "logs_sizes",
      sql`${t.checkpointSize} <= ${t.settled} and ${t.settled} <= ${t.size} and (${t.checkpoint} is not null or ${t.checkpointSize} = 0)`,
    ),
  ],
);

/** The entries of a log. WITHOUT ROWID, as are the next two (db/migrations/0013). */
export const logEntries = sqliteTable(
  "log_entries",
  {
    log: text("log").notNull(),
    index: integer("index").notNull(),
    entry: blob("entry", { mode: "buffer" }).notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.log, t.index] }),
    check("log_entries_length", sql`length(${t.entry}) = 32`),
  ],
);

/** The hashes of the complete subtrees of 2^level entries, from level 1 on. */
export const logHashes = sqliteTable(
  "log_hashes",
  {
    log: text("log").notNull(),
    level: integer("level").notNull(),
    index: integer("index").notNull(),
    hash: blob("hash", { mode: "buffer" }).notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.log, t.level, t.index] }),
    check("log_hashes_length", sql`length(${t.hash}) = 32`),
  ],
);

/** Entries that no checkpoint covered when their log ended, and where they were appended anew. */
export const logMoves = sqliteTable(
  "log_moves",
  {
    log: text("log").notNull(),
    index: integer("index").notNull(),
    toLog: text("to_log").notNull(),
    toIndex: integer("to_index").notNull(),
  },
  (t) => [primaryKey({ columns: [t.log, t.index] })],
);
