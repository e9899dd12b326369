import type { Statement } from "better-sqlite3";
import type { Db } from "#db/client.ts";

export type TransactionWatch = {
  begin?: () => void;
  beforeCommit?: () => void;
  afterCommit?: () => void;
};

/** Watches every write transaction of one connection, until the returned function is called. */
export function watchTransactions({ $client }: Db, watch: TransactionWatch): () => void {
  const statements: Statement = Object.getPrototypeOf($client.prepare("select 1"));
  const { run } = statements;
  statements.run = function (this: Statement, ...values: unknown[]) {
    if (this.database !== $client) return run.apply(this, values);
    const source = this.source.toLowerCase();
    if (source === "begin immediate") watch.begin?.();
    if (source !== "commit") return run.apply(this, values);
    watch.beforeCommit?.();
    const result = run.apply(this, values);
    watch.afterCommit?.();
    return result;
  };
  return () => {
    statements.run = run;
  };
}
