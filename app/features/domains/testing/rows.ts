import type { Context } from "#app/core/context.server.ts";
import { domains } from "#db/schema.ts";
import type { listDomains } from "../domains.server.ts";

type Row = typeof domains.$inferInsert;

/** Writes so many domains of an account, in the order of their ids: `n0.example` and on, unless `change` says otherwise. */
export function insertDomains(
  { db }: Pick<Context, "db">,
  accountId: string,
  count: number,
  change: (at: number) => Partial<Row> = () => ({}),
): void {
  const rows = Array.from({ length: count }, (_, at): Row => {
    const { name = `n${at}.example`, ...more } = change(at);
    const id = `dom_${String(at).padStart(5, "0")}`;
    return { id, accountId, name, unicodeName: name, createdAt: 1, ...more };
  });
  for (let from = 0; from < count; from += 500)
    db.insert(domains)
      .values(rows.slice(from, from + 500))
      .run();
}

export async function pagesOf(list: (cursor?: string) => ReturnType<typeof listDomains>) {
  const pages: Awaited<ReturnType<typeof list>>["domains"][] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await list(cursor);
    pages.push(page.domains);
    cursor = page.nextCursor;
  }
  return pages;
}
