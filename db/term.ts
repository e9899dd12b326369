import { existsSync } from "node:fs";
import { type Db, type Tx, withFile } from "./client.ts";
import { clusterTerm } from "./schema.ts";

const BUSY_TIMEOUT_MS = 2_000;

/** Returns when this copy's primary was promoted, in epoch milliseconds; 0 if the database was never in a cluster. */
export const termOf = (db: Db | Tx): number =>
  db.select({ term: clusterTerm.term }).from(clusterTerm).get()?.term ?? 0;

/** Reads the term of a database that may not exist, or may lack its schema. */
export function readTerm(path: string): number {
  if (!existsSync(path)) return 0;
  return withFile(path, { readonly: true, timeout: BUSY_TIMEOUT_MS }, (db) => {
    const table = db.prepare("select 1 from sqlite_master where name = 'cluster_term'");
    if (!table.get()) return 0;
    return Number(db.prepare("select term from cluster_term").pluck().get() ?? 0);
  });
}

/** Terms are times, so two nodes promoted independently never have the same one. A restart keeps the term. */
export function beginTerm(tx: Tx, holder: string, now: number): void {
  const lastRow = tx.select().from(clusterTerm).get();
  if (lastRow?.holder === holder) return;
  const term = Math.max(now, (lastRow?.term ?? 0) + 1);
  tx.delete(clusterTerm).run();
  tx.insert(clusterTerm).values({ id: 1, term, holder }).run();
}

/** Begins a new term even for the same holder: a restored database replaces the data of all nodes. */
export function renewTerm(tx: Tx, holder: string, now: number): void {
  tx.delete(clusterTerm).run();
  beginTerm(tx, holder, now);
}
