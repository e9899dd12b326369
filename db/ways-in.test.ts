import { expect, test } from "vitest";
import { migrateDatabase } from "./migrate.ts";
import { databaseBefore } from "./testing.ts";

test("accounts from before count as answered by mail where they never came another way", () => {
  const db = databaseBefore("0006_ways_in");
  const { $client } = db;
  $client.exec(`insert into accounts (id, email, oidc_issuer, oidc_subject, created_at) values
    ('acc_1', 'a@example.org', null, null, 7), ('acc_2', 'b@example.org', 'https://id.example', '1', 8)`);
  $client.exec(`insert into sign_in_links (id, token_hash, code_hash, email, callback_path, created_at, expires_at)
    values ('lnk_1', 't', 'c', 'a@example.org', '/domains', 7, 9)`);
  migrateDatabase(db);
  const all = (query: string) => $client.prepare(query).all();
  expect(all("select account_id as id, mail_proved_at from people order by id")).toEqual([
    { id: "acc_1", mail_proved_at: 7 },
    { id: "acc_2", mail_proved_at: null },
  ]);
  expect(all("select id, browser_hash from sign_in_links")).toEqual([
    { id: "lnk_1", browser_hash: null },
  ]);
});
