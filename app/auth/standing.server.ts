import { and, eq, gt, sql } from "drizzle-orm";
import type { App } from "#app/http/app.server.ts";
import { prepared } from "#db/client.ts";
import { sessions } from "#db/schema.ts";

const standing = prepared((db) =>
  db
    .select({ id: sessions.id })
    .from(sessions)
    .where(
      and(eq(sessions.id, sql.placeholder("id")), gt(sessions.expiresAt, sql.placeholder("now"))),
    )
    .prepare(),
);

/** Whether a session still stands. Asking is no use of it: it lasts no longer for being asked about. */
export const isStanding = (app: App, id: string): boolean =>
  standing(app.db).get({ id, now: app.clock() }) !== undefined;
