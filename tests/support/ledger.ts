import { join } from "node:path";
import Database from "better-sqlite3";

/** Tables that only requests change: not the worker's reads and sent mails, nor tries of codes. */
const WRITTEN_BY_REQUESTS = [
  "select id, email, disabled_at from accounts",
  "select id, account_id, email, mail_enabled, oidc_subject from people",
  "select id, account_id, email, token_hash from invitations",
  "select id, person_id, token_hash from sessions",
  "select id, email, consumed_at from sign_in_links",
  "select * from domains",
  "select * from domain_counts",
  "select id, domain_id, state, token, created_at, expires_at, ended_at from claims",
  "select id, verification_id from attempts where trigger = 'requested'",
  "select slug, claim_id, issued_at, revoked_at from proof_links",
  "select * from handoffs",
  "select id, kind, claim_id, read_at from notices",
  "select id, person_id, name, scopes, addresses, secret_hash, previous_hash, expires_at from api_keys",
  "select id, url, events, secret, disabled_at from webhooks",
  "select id, lane from webhook_deliveries",
  "select id, account_id, kind from account_events where kind <> 'code_refused'",
  "select id, type, ids from change_feed where type <> 'verification.ran'",
];

/** Every row written by a request, as comparable text. */
export const rowsWritten = (db: Database.Database): string =>
  WRITTEN_BY_REQUESTS.map((query) =>
    db
      .prepare(query)
      .raw()
      .all()
      .map((row) => JSON.stringify(row))
      .join("\n"),
  ).join("\n\n");

export class Ledger {
  readonly #db: Database.Database;
  #rows = { version: -1, text: "" };

  constructor(service: { dataDir: string }) {
    this.#db = new Database(join(service.dataDir, "deed.db"), { readonly: true });
  }

  /** Cheap if nothing was written since the last call. */
  read(): string {
    // Changes after every commit on another connection.
    const version = Number(this.#db.pragma("data_version", { simple: true }));
    if (version !== this.#rows.version) this.#rows = { version, text: rowsWritten(this.#db) };
    return this.#rows.text;
  }

  close = (): void => {
    this.#db.close();
  };
}
