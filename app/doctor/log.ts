import { existsSync } from "node:fs";
import Database from "better-sqlite3";
import { durationInWords } from "#app/dns/copy/wording.ts";
import type { Env } from "#app/env.server.ts";
import { about, type Probe } from "./finding.ts";

const { ok, warning } = about("Log");
/** A checkpoint is signed about a second after an entry. */
const LONG_MS = 60_000;

type Row = { origin: string; size: number; waiting: number; since: number | null };
const CURRENT =
  "select origin, size, size - checkpoint_size as waiting, waiting_since as since from logs where ended_at is null";

/** The current log; null before the first, undefined if there is no database to ask, which is another's finding. */
function currentRow(path: string): Row | null | undefined {
  if (!existsSync(path)) return undefined;
  let db: Database.Database | null = null;
  try {
    db = new Database(path, { readonly: true, fileMustExist: true });
    return (db.prepare(CURRENT).get() as Row | undefined) ?? null;
  } catch {
    return undefined;
  } finally {
    db?.close();
  }
}

/** Whether the entries of the transparency log are in a checkpoint. */
export const examineLog =
  ({ DATABASE_PATH, cluster }: Env, now = Date.now()): Probe =>
  () => {
    const log = currentRow(DATABASE_PATH);
    if (log === undefined) return [];
    if (log === null) return [ok("has not begun: the first start begins it")];
    const waited = now - (log.since ?? now);
    if (waited < LONG_MS) return [ok(`${log.origin} has ${log.size} entries`)];
    return [
      warning(
        `${log.waiting} entries of ${log.origin} have waited ${durationInWords(waited / 1_000)} for a checkpoint, so their receipts lack the part from the log`,
        cluster
          ? "Start another node: a checkpoint is signed once one has what it covers (CLUSTER_NODES)."
          : "Start Deed, which signs one; if it runs, look for errors in its log.",
      ),
    ];
  };
