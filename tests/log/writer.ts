import { createHash } from "node:crypto";
import { join } from "node:path";
import { parseEnvironment } from "#app/env.server.ts";
import { appendEntry } from "#app/services/log/log.server.ts";
import type { Place } from "#app/services/log/log-rows.server.ts";
import { verifierKey } from "#app/services/log/note.ts";
import { SignedTreeFile } from "#app/services/log/signed-tree.server.ts";
import { testService } from "#app/services/testing/service.ts";
import { loadKeyring } from "#app/signing-keys.server.ts";
import { type Db, openDatabase, write } from "#db/client.ts";
import { migrateDatabase } from "#db/migrate.ts";

export const entryOf = (n: number): Buffer => createHash("sha256").update(`entry ${n}`).digest();

/** Another process beside the service, with its data folder and key, that appends to its log. */
export class LogWriter {
  readonly #db: Db;
  readonly #ctx: ReturnType<typeof testService>["ctx"];

  constructor(dataDir: string, baseUrl: string) {
    this.#db = openDatabase(join(dataDir, "deed.db"));
    migrateDatabase(this.#db);
    const { ctx } = testService(this.#db);
    this.#ctx = {
      ...ctx,
      settings: { ...ctx.settings, baseUrl },
      signer: loadKeyring(parseEnvironment({ DATA_DIR: dataDir }), ctx.log),
      signedTree: new SignedTreeFile(join(dataDir, "signed-tree")),
    };
  }

  /** Appends the entries from one number to just before another, in one transaction. */
  append(from: number, to: number): Promise<Place[]> {
    return write(this.#db, (tx) =>
      Array.from({ length: to - from }, (_, i) => appendEntry(tx, this.#ctx, entryOf(from + i))),
    );
  }

  /** The key for checkpoints of an origin. */
  vkey = (origin: string): string => verifierKey(origin, this.#ctx.signer);

  close(): void {
    this.#db.$client.close();
  }
}
