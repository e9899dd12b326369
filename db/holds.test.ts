import { expect, test } from "vitest";
import { migrateDatabase } from "./migrate.ts";
import { databaseBefore } from "./testing.ts";

const CLAIM = `account_id, domain_id, name, state, token, challenge_label, created_at, expires_at, ended_at`;
const WATCH = `claim_id, purpose, state, started_at, seen_at, missing_since, finding, finding_since, told, nameservers, next_read_at, slug`;

test("what watches have seen of a domain before there was `holds` is kept", () => {
  const db = databaseBefore("0034_holds");
  const sql = (statement: string) => db.$client.exec(statement);
  sql("insert into accounts (id, email, created_at) values ('acc_1', '1@example.org', 1)");
  const rows: [name: string, purpose: string, state: string, more: string, since: number][] = [
    ["seen", "watch", "published", "null", 0],
    ["lapsed", "watch", "lapsed", "'absent'", 70],
    ["proved_since", "watch", "lapsed", "'absent'", 30],
    ["moved", "watch", "moved", "'moved'", 70],
    ["deleted", "removal", "gone", "'gone'", 70],
    ["again", "watch", "published", "null", 0],
  ];
  for (const [name, purpose, state, finding, since] of rows) {
    const at = since || "null";
    sql(`insert into domains (id, account_id, name, unicode_name, status, claim_id, last_proved_at, created_at)
        values ('d_${name}', 'acc_1', '${name}', '${name}', 'proved', 'c_${name}', 50, 1);
      insert into claims (id, ${CLAIM})
        values ('c_${name}', 'acc_1', 'd_${name}', '${name}', 'proved', 't_${name}', '_x', 1, 99, 50);
      insert into watches (${WATCH}) values ('c_${name}', '${purpose}', '${state}', 50, 20, ${at},
        ${finding}, ${at}, '[]', '[]', 99, 's_${name}')`);
  }
  sql(
    `update watches set registry = 'registered_again', registered_at = 60 where claim_id = 'c_again'`,
  );
  migrateDatabase(db);
  const found = db.$client.prepare("select name, loss, holds from domains order by name").raw();
  expect(found.all()).toEqual([
    ["again", "registered_again", 0],
    ["deleted", null, 1],
    ["lapsed", "lapsed", 0],
    ["moved", "moved", 0],
    ["proved_since", null, 1],
    ["seen", null, 1],
  ]);
});
