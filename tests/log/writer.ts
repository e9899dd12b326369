import { createHash } from "node:crypto";
import { join } from "node:path";
import { parseEnvironment } from "#app/env.server.ts";
import { appendEntry, base64Root } from "#app/services/log/log.server.ts";
import { logNamed, type Place } from "#app/services/log/log-rows.server.ts";
import { verifierKey } from "#app/services/log/note.ts";
import { SignedTreeFile } from "#app/services/log/signed-tree.server.ts";
import { signerOf } from "#app/services/receipts/signer.server.ts";
import { testService } from "#app/services/testing/service.ts";
import { loadKeyring } from "#app/signing-keys.server.ts";
import { type Db, openDatabase, type Replication, write } from "#db/client.ts";
import { migrateDatabase } from "#db/migrate.ts";

export const entryOf = (n: number): Buffer => createHash("sha256").update(`entry ${n}`).digest();

/** A mount that other processes of the machine replicate. */
const MOUNT: Replication = {
  isWritable: () => true,
  waitUntilWritable: async () => {},
  position: () => 0n,
  isCopied: async () => true,
  confirmCommit: () => {},
  readOnlyError: () => new Error("read only"),
  outcomeUnknownError: () => new Error("outcome unknown"),
};

type Options = {
  dataDir: string;
  baseUrl: string;
  /** On a LiteFS mount, and with the key of the cluster. */
  mounted?: { database: string; signingKey: string };
};

/** Another process beside the service, with its data folder and key, that appends to its log. */
export class LogWriter {
  readonly #db: Db;
  readonly #ctx: ReturnType<typeof testService>["ctx"];

  constructor({ dataDir, baseUrl, mounted }: Options) {
    this.#db = mounted
      ? openDatabase(mounted.database, MOUNT)
      : openDatabase(join(dataDir, "deed.db"));
    if (!mounted) migrateDatabase(this.#db);
    const { ctx } = testService(this.#db);
    this.#ctx = {
      ...ctx,
      clock: Date.now,
      settings: { ...ctx.settings, baseUrl },
      signer: mounted
        ? signerOf(mounted.signingKey)
        : loadKeyring(parseEnvironment({ DATA_DIR: dataDir }), ctx.log),
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

  /** The root of the first `size` entries of a log, base64; null if the database has fewer. */
  rootOf(log: string, size: number): string | null {
    if ((logNamed(this.#db, log)?.size ?? 0) < size) return null;
    return base64Root(this.#db, log, size);
  }

  close(): void {
    this.#db.$client.close();
  }
}
