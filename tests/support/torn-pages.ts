import { closeSync, openSync, writeSync } from "node:fs";
import Database from "better-sqlite3";

/** Overwrites at most `most` of a table's first leaf pages in a database without writers. Returns how many. */
export function tearPages(path: string, table: string, most = 1): number {
  const db = new Database(path, { readonly: true });
  const size = Number(db.pragma("page_size", { simple: true }));
  const pages = db
    .prepare(
      "select pageno from dbstat where name = ? and pagetype = 'leaf' order by pageno limit ?",
    )
    .pluck()
    .all(table, most) as number[];
  db.close();
  const file = openSync(path, "r+");
  for (const page of pages) writeSync(file, Buffer.alloc(size, 0xa5), 0, size, (page - 1) * size);
  closeSync(file);
  return pages.length;
}
