import { expect, test } from "vitest";
import { migrateDatabase } from "./migrate.ts";
import { databaseBefore } from "./testing.ts";

test("webhooks from before they remembered keys keep all they have, and their deliveries", () => {
  const db = databaseBefore("0032_webhook_key");
  const { $client: sqlite } = db;
  sqlite.exec(`
    insert into accounts (id, email, created_at) values ('acc_1', 'a@example.org', 7);
    insert into webhooks (id, account_id, url, url_by, events, secret, secret_by, previous_secret, previous_until,
      created_at, disabled_at, disabled_because, mail_due_at, mail_tries)
    values ('whk_1', 'acc_1', 'https://a.example/', 'per_1', '[]', 'whsec_1', 'per_1', 'whsec_0', 9, 7, 8, 'gone', 9, 2);
    insert into webhook_messages (id, account_id, type, body, at) values ('msg_1', 'acc_1', 'webhook.test', '{}', 7);
    insert into webhook_deliveries (id, webhook_id, message_id, lane, created_at)
    values ('dlv_1', 'whk_1', 'msg_1', 'msg_1', 7);`);
  const all = (table: string) => sqlite.prepare(`select * from ${table}`).all();
  const before = [all("webhooks"), all("webhook_deliveries")];
  expect(migrateDatabase(db)?.applied).toContain("0032_webhook_key");
  const [webhook = {}] = before[0] as object[];
  expect([all("webhooks"), all("webhook_deliveries")]).toEqual([
    [{ ...webhook, url_by_key: null, secret_by_key: null }],
    before[1],
  ]);
  expect(sqlite.pragma("foreign_key_check")).toEqual([]);
  sqlite.exec("update webhooks set disabled_because = 'key_revoked'");
  expect(() => sqlite.exec("update webhooks set disabled_because = 'else'")).toThrow(
    /webhooks_end/,
  );
});
