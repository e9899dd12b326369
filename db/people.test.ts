import { beforeEach, describe, expect, test } from "vitest";
import type { Db } from "./client.ts";
import { migrateDatabase } from "./migrate.ts";
import { databaseBefore, testDatabase } from "./testing.ts";

let db: Db;
const sql = (statement: string) => db.$client.exec(statement);
const all = (query: string) => db.$client.prepare(query).raw().all();

test("a database from before keeps its accounts, sessions, notices, mails due and log", () => {
  db = databaseBefore("0008_people");
  sql(`
    insert into accounts (id, email, oidc_issuer, oidc_subject, mail_proved_at, mail_enabled, created_at) values
      ('acc_1', 'a@example.org', 'https://id.example', '1', 5, 0, 7), ('acc_2', 'b@example.org', null, null, null, 1, 8);
    insert into sessions (id, account_id, token_hash, created_at, last_used_at, expires_at)
      values ('ses_1', 'acc_1', 'h', 7, 9, 99);
    insert into domains (id, account_id, name, unicode_name, created_at) values ('dom_1', 'acc_1', 'x.example', 'x.example', 7);
    insert into claims (id, account_id, domain_id, name, token, challenge_label, created_at, expires_at)
      values ('clm_1', 'acc_1', 'dom_1', 'x.example', 't', '_c', 7, 99);
    insert into notices (id, account_id, kind, domain_id, claim_id, created_at, mail_due_at, mail_tries, mailed_at) values
      ('ntc_1', 'acc_1', 'nudge', 'dom_1', 'clm_1', 7, 8, 2, null), ('ntc_2', 'acc_1', 'expiring', 'dom_1', 'clm_1', 7, null, 1, 9),
      ('ntc_3', 'acc_1', 'coexistence', 'dom_1', 'clm_1', 7, null, 0, null);
    insert into account_events (account_id, kind, user_agent, domain_id, at) values ('acc_1', 'handoff_issued', 'ua', 'dom_1', 7);`);
  migrateDatabase(db);
  expect(all("select * from accounts order by id")).toEqual([
    ["acc_1", "a@example.org", 7, null],
    ["acc_2", "b@example.org", 8, null],
  ]);
  expect(all("select * from people order by id")).toEqual([
    ["per_1", "acc_1", "a@example.org", "https://id.example", "1", 5, 0, 7, 9],
    ["per_2", "acc_2", "b@example.org", null, null, null, 1, 8, null],
  ]);
  expect(all("select id, person_id from sessions")).toEqual([["ses_1", "per_1"]]);
  expect(all("select id, claim_id from notices")).toHaveLength(3);
  expect(all("select * from notice_mails order by notice_id")).toEqual([
    ["ntc_1", "per_1", 8, 2, null],
    ["ntc_2", "per_1", null, 1, 9],
  ]);
  expect(all("select kind, email, user_agent, domain_id from account_events")).toEqual([
    ["handoff_issued", null, "ua", "dom_1"],
  ]);
  expect(all("select unclaimed from domain_counts order by account_id")).toEqual([[1], [0]]);
  expect(db.$client.pragma("foreign_key_check")).toEqual([]);
  expect(db.$client.pragma("foreign_keys", { simple: true })).toBe(1);
  const cascade = db.$client.pragma("foreign_key_list(domains)") as { table: string }[];
  expect(cascade.map(({ table }) => table)).toEqual(["accounts"]);
});

test("a webhook from before is of the person who added it, or rotated its secret last, else of the first address", () => {
  db = databaseBefore("0022_webhook_people");
  const people = ["'per_k', 'acc_1', 'kim@example.org'", "'per_l', 'acc_1', 'lea@example.org'"];
  const added = (kind: string, who: string, host: string) =>
    `insert into account_events (account_id, kind, email, subject, at) values ('acc_1', '${kind}', '${who}@example.org', '${host}', 7);`;
  const webhook = (n: number, host: string) =>
    `insert into webhooks (id, account_id, url, events, secret, created_at) values ('whk_${n}', 'acc_1', 'https://${host}/x', '[]', 's', 7);`;
  sql(`
    insert into accounts (id, email, created_at) values ('acc_1', 'a@example.org', 7);
    ${people.map((one) => `insert into people (id, account_id, email, created_at) values (${one}, 7);`).join("")}
    ${["a.example:8443", "b.example", "c.example", "c"].map((host, n) => webhook(n, host)).join("")}
    insert into webhook_messages (id, account_id, type, ids, body, at) values ('msg_1', 'acc_1', 'x', '{}', '{}', 7);
    insert into webhook_deliveries (id, webhook_id, message_id, lane, created_at) values ('dlv_1', 'whk_0', 'msg_1', 'l', 7);
    ${added("webhook_added", "kim", "a.example:8443")}
    ${added("webhook_added", "kim", "b.example")}
    ${added("webhook_rotated", "lea", "b.example")}
    ${added("webhook_added", "gone", "c.example")}`);
  migrateDatabase(db);
  expect(all("select id, url_by, secret_by from webhooks order by id")).toEqual([
    ["whk_0", "per_k", "per_k"],
    ["whk_1", "per_l", "per_l"],
    ["whk_2", "per_1", "per_1"],
    ["whk_3", "per_1", "per_1"],
  ]);
  expect(all("select id from webhook_deliveries")).toEqual([["dlv_1"]]);
  expect(db.$client.pragma("foreign_key_check")).toEqual([]);
});

describe("the database", () => {
  beforeEach(() => {
    db = testDatabase();
    for (const n of [1, 2])
      sql(
        `insert into accounts (id, email, created_at) values ('acc_${n}', '${n}@example.org', 7)`,
      );
  });
  const person = (id: string, account: string, email: string) =>
    `insert into people (id, account_id, email, created_at) values ('${id}', '${account}', '${email}', 7)`;
  const invitation = (n: number | string, account = "acc_1", by = "per_1") =>
    `insert into invitations (id, account_id, invited_by, email, token_hash, created_at, expires_at)
      values ('inv_${n}', '${account}', '${by}', 'i${n}@example.org', 'h${n}', 7, 8)`;

  test("makes an account's address the first of its people", () => {
    expect(all("select id, account_id, email, mail_enabled from people")).toEqual([
      ["per_1", "acc_1", "1@example.org", 1],
      ["per_2", "acc_2", "2@example.org", 1],
    ]);
  });

  test("keeps an address in one account", () => {
    sql(person("per_3", "acc_1", "3@example.org"));
    for (const email of ["1@example.org", "2@example.org", "3@example.org"])
      expect(() => sql(person("per_4", "acc_2", email))).toThrow(/UNIQUE.*people\.email/);
    const account = `insert into accounts (id, email, created_at) values ('acc_3', '3@example.org', 7)`;
    expect(() => sql(account)).toThrow(/UNIQUE.*people\.email/);
  });

  test("keeps the first address for as long as its account, and every address as it is", () => {
    expect(() => sql("delete from people where id = 'per_1'")).toThrow(/people_first_stays/);
    expect(() => sql("update accounts set email = 'x@example.org'")).toThrow(/accounts_address/);
    expect(() => sql("update people set account_id = 'acc_2'")).toThrow(/people_address_is_final/);
    expect(() => sql("update people set email = 'x@example.org'")).toThrow(/people_address/);
    sql(person("per_3", "acc_1", "3@example.org"));
    sql("delete from people where id = 'per_3'");
    sql(person("per_3", "acc_1", "3@example.org"));
    sql(invitation(1));
    sql("delete from accounts where id = 'acc_1'");
    expect(all("select id from people")).toEqual([["per_2"]]);
    expect(all("select id from invitations")).toEqual([]);
  });

  test("takes twenty besides the first, those invited included", () => {
    for (let n = 10; n < 25; n++) sql(person(`per_${n}`, "acc_1", `${n}@example.org`));
    for (let n = 1; n <= 5; n++) sql(invitation(n));
    expect(() => sql(invitation(6))).toThrow(/people_limit/);
    sql("delete from invitations");
    for (let n = 25; n < 30; n++) sql(person(`per_${n}`, "acc_1", `${n}@example.org`));
    expect(() => sql(person("per_30", "acc_1", "30@example.org"))).toThrow(/people_limit/);
    sql(person("per_30", "acc_2", "30@example.org"));
  });

  test("lets nobody into a disabled account", () => {
    const session = (n: number) =>
      `insert into sessions (id, person_id, token_hash, created_at, last_used_at, expires_at)
        values ('ses_${n}', 'per_${n}', 'h${n}', 7, 7, 9)`;
    sql("update accounts set disabled_at = 8 where id = 'acc_1'");
    expect(() => sql(session(1))).toThrow(/sessions_not_disabled/);
    sql(session(2));
  });

  test("takes along the invitations of whoever goes", () => {
    sql(person("per_3", "acc_1", "3@example.org"));
    sql(invitation("a", "acc_1", "per_3"));
    sql(invitation("b"));
    sql("delete from people where id = 'per_3'");
    expect(all("select id from invitations")).toEqual([["inv_b"]]);
  });
});
