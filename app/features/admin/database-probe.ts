import { sql } from "drizzle-orm";
import { FaultLog, type LogSink } from "#app/core/fault-log.ts";
import { isDiskFull } from "#app/environment/paths.server.ts";
import { type Db, isWritable, type Tx, write } from "#db/client.ts";
import { emptyLog } from "#db/erase.ts";
import { heartbeat } from "#db/schema.ts";

/** How long one answer is reused. Health is public, and strangers must not cause writes at will. */
const REUSED_FOR_MS = 2_000;

/** "gone" means that the database's files were removed, renamed or replaced, and the service must be restarted. */
export type DatabaseState = "ok" | "failing" | "gone";

/** Tests the database by a commit that changes nothing; from a copy that takes no writes it only reads. */
export function probeDatabase(db: Db, clock: () => number, log: LogSink) {
  const faultLog = new FaultLog("the database fails", "the database works again");
  let isGone = false;
  let isEmptied = false;
  let lastTest: { at: number; state: Promise<DatabaseState> } | null = null;

  /** Changes the heartbeat and restores it: SQLite commits nothing if no value changes. */
  async function commitNothing(): Promise<void> {
    const { name, memory } = db.$client;
    // On a full disk a commit may still fit into the log's existing space.
    if (!memory && isDiskFull(name)) throw new Error(`the disk of ${name} is full`);
    const at = clock();
    const moveBy = (tx: Tx, by: 1 | -1) =>
      tx
        .update(heartbeat)
        .set({ at: sql`${heartbeat.at} + ${by}` })
        .run();
    await write(db, (tx) => {
      if (moveBy(tx, 1).changes > 0) moveBy(tx, -1);
      else tx.insert(heartbeat).values({ id: 1, at }).run();
    });
  }

  async function test(): Promise<DatabaseState> {
    try {
      if (isWritable(db)) await commitNothing();
      else db.select().from(heartbeat).all();
      faultLog.note(log, false);
      return "ok";
    } catch (error) {
      faultLog.note(log, true, { err: error });
      return "failing";
    }
  }

  /** Whether the files are in place. If not, moves the log into the opened file, so that a renamed file has all commits. */
  function isInPlace(): boolean {
    if (db.$isInPlace?.() ?? true) return true;
    if (!isGone)
      log.error(
        { path: db.$client.name },
        'the database was removed, renamed or replaced while it was open, so nothing is written until a restart: read docs/operate/backup.md, "A removed or replaced database", first',
      );
    isGone = true;
    try {
      if (!isEmptied) isEmptied = db.$replication !== undefined || emptyLog(db);
    } catch {
      // The next test tries again.
    }
    return false;
  }

  /** Returns the state now or at most two seconds ago; simultaneous callers share one test. Never rejects. */
  function state(): Promise<DatabaseState> {
    if (!isInPlace()) return Promise.resolve("gone");
    const now = performance.now();
    if (!lastTest || now - lastTest.at >= REUSED_FOR_MS) lastTest = { at: now, state: test() };
    return lastTest.state;
  }

  /** `damage` is what the newest check of the whole file found, null if nothing. */
  return { isInPlace, state, damage: null as string | null };
}
