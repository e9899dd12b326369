import { sql } from "drizzle-orm";
import { check, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { instant } from "./columns.ts";

/** When the service last ran, to the hour: a single row that the schedule updates. */
export const heartbeat = sqliteTable(
  "heartbeat",
  { id: integer("id").primaryKey(), at: instant("at").notNull() },
  (t) => [check("heartbeat_one", sql`${t.id} = 1`)],
);

/** Has a row if the database began closed to strangers (app/core/accounts/sign-up.server.ts). */
export const signUpClosed = sqliteTable(
  "sign_up_closed",
  { id: integer("id").primaryKey() },
  (t) => [check("sign_up_closed_one", sql`${t.id} = 1`)],
);

/** Which node of a cluster is the primary, and since when: a single row, replaced by a promoted node (db/term.ts). */
export const clusterTerm = sqliteTable(
  "cluster_term",
  {
    id: integer("id").primaryKey(),
    term: instant("term").notNull(),
    holder: text("holder").notNull(),
  },
  (t) => [check("cluster_term_one", sql`${t.id} = 1`)],
);
