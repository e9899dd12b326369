import { beforeEach, describe, expect, test } from "vitest";
import type { Db } from "./client.ts";
import { testDatabase } from "./testing.ts";

let db: Db;
const sql = (statement: string) => db.$client.exec(statement);
const refuses = (statement: string, rule: RegExp) => expect(() => sql(statement)).toThrow(rule);
const all = (query: string) => db.$client.prepare(query).raw().all();

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

  test("keeps an address in one account", () => {
    sql(person("per_3", "acc_1", "3@example.org"));
    for (const email of ["1@example.org", "2@example.org", "3@example.org"])
      refuses(person("per_4", "acc_2", email), /UNIQUE.*people\.email/);
    const account = `insert into accounts (id, email, created_at) values ('acc_3', '3@example.org', 7)`;
    refuses(account, /UNIQUE.*people\.email/);
  });

  test("keeps the first address for as long as its account, and every address as it is", () => {
    refuses("delete from people where id = 'per_1'", /people_first_stays/);
    refuses("update accounts set email = 'x@example.org'", /accounts_address/);
    refuses("update people set account_id = 'acc_2'", /people_address_is_final/);
    refuses("update people set email = 'x@example.org'", /people_address/);
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
    refuses(invitation(6), /people_limit/);
    sql("delete from invitations");
    for (let n = 25; n < 30; n++) sql(person(`per_${n}`, "acc_1", `${n}@example.org`));
    refuses(person("per_30", "acc_1", "30@example.org"), /people_limit/);
    sql(person("per_30", "acc_2", "30@example.org"));
  });

  test("lets nobody into a disabled account", () => {
    const session = (n: number) =>
      `insert into sessions (id, person_id, token_hash, created_at, last_used_at, expires_at)
        values ('ses_${n}', 'per_${n}', 'h${n}', 7, 7, 9)`;
    sql("update accounts set disabled_at = 8 where id = 'acc_1'");
    refuses(session(1), /sessions_not_disabled/);
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
