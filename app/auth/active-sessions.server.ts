import { sql } from "drizzle-orm";
import type { App } from "#app/http/app.server.ts";
import { prepared } from "#db/client.ts";
import { sessions } from "#db/schema.ts";

const activeByIds = prepared((db) =>
  db
    .select({ id: sessions.id })
    .from(sessions)
    .where(
      sql`${sessions.id} in (select value from json_each(${sql.placeholder("ids")})) and ${sessions.expiresAt} > ${sql.placeholder("now")}`,
    )
    .prepare(),
);

/** The given ids whose sessions are still active. Does not extend them. */
export function activeSessions(app: App, ids: Iterable<string>): Set<string> {
  const rows = activeByIds(app.db).all({
    ids: JSON.stringify([...new Set(ids)]),
    now: app.clock(),
  });
  return new Set(rows.map(({ id }) => id));
}
