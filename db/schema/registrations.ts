import { sql } from "drizzle-orm";
import { check, index, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { instant } from "./columns.ts";

/** Registries' RDAP answers about names with a doubtful delegation. They decide nothing. Kept for a day. */
export const registrations = sqliteTable(
  "registrations",
  {
    /** The registered name, A-labels. */
    name: text("name").primaryKey(),
    askedAt: instant("asked_at").notNull(),
    /** The registry is not asked again before this. */
    nextAt: instant("next_at").notNull(),
    /** When the last usable answer came; null before the first. */
    answeredAt: instant("answered_at"),
    /** JSON of a Registration; null without an answer, or if the name is not registered. */
    registration: text("registration"),
  },
  (t) => [
    index("registrations_asked").on(t.askedAt),
    check("registrations_answer", sql`${t.registration} is null or ${t.answeredAt} is not null`),
    check("registrations_json", sql`${t.registration} is null or json_valid(${t.registration})`),
  ],
);
