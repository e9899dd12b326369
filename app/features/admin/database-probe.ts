import { sql } from "drizzle-orm";
import { Episode, type EpisodeLog } from "#app/core/episode.ts";
import { type Db, isWritable, write } from "#db/client.ts";
import { emptyLog } from "#db/erase.ts";
import { heartbeat } from "#db/schema.ts";

declare module "#app/core/context.server.ts" {
  interface Context {
    database: DatabaseProbe;
  }
}

/** How long one answer holds. Health is public, and a stranger must not make writes at will. */
const HOLDS_MS = 5_000;

/** `gone`: its files were removed, renamed or replaced, and the service must be started again. */
export type DatabaseState = "ok" | "failing" | "gone";

/** Tests the database by a commit that leaves everything as it was; a copy that takes no writes is read instead. */
export class DatabaseProbe {
  readonly #db: Db;
  readonly #clock: () => number;
  readonly #log: EpisodeLog;
  readonly #trouble = new Episode("the database fails", "the database works again");
  #isGone = false;
  #isEmptied = false;
  #last: { at: number; state: Promise<DatabaseState> } | null = null;

  constructor(db: Db, clock: () => number, log: EpisodeLog) {
    this.#db = db;
    this.#clock = clock;
    this.#log = log;
  }

  /** Once they are gone, the log goes into the file that was opened: a renamed file has all that was acknowledged. */
  isInPlace(): boolean {
    if (this.#db.$isInPlace?.() ?? true) return true;
    if (!this.#isGone)
      this.#log.error(
        { path: this.#db.$client.name },
        'the database was removed, renamed or replaced while it was open, so nothing is written until a restart: read docs/operate/backup.md, "A database that is gone", first',
      );
    this.#isGone = true;
    try {
      this.#isEmptied ||= this.#db.$replication !== undefined || emptyLog(this.#db);
    } catch {
      // Tried again at the next look.
    }
    return false;
  }

  /** The state now or at most five seconds ago; simultaneous askers share one test. Never rejects. */
  state(): Promise<DatabaseState> {
    if (!this.isInPlace()) return Promise.resolve("gone");
    const now = performance.now();
    if (!this.#last || now - this.#last.at >= HOLDS_MS)
      this.#last = { at: now, state: this.#test() };
    return this.#last.state;
  }

  async #test(): Promise<DatabaseState> {
    try {
      if (isWritable(this.#db)) await this.#write();
      else this.#db.select().from(heartbeat).all();
      this.#trouble.note(this.#log, false);
      return "ok";
    } catch (error) {
      this.#trouble.note(this.#log, true, { err: error });
      return "failing";
    }
  }

  /** Moves the heartbeat and back: SQLite commits nothing if a statement finds the value already there. */
  async #write(): Promise<void> {
    const at = this.#clock();
    await write(this.#db, (tx) => {
      const { changes } = tx
        .update(heartbeat)
        .set({ at: sql`${heartbeat.at} + 1` })
        .run();
      if (changes > 0)
        tx.update(heartbeat)
          .set({ at: sql`${heartbeat.at} - 1` })
          .run();
      else tx.insert(heartbeat).values({ id: 1, at }).run();
    });
  }
}
