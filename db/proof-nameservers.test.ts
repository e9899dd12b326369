import { expect, test } from "vitest";
import { migrateDatabase } from "./migrate.ts";
import { databaseBefore } from "./testing.ts";

test("proofs that stand are counted from their evidence, and keep everything that hangs on them", () => {
  const db = databaseBefore("0005_proof_nameservers");
  const sql = (statement: string, ...values: unknown[]) =>
    db.$client.prepare(statement).run(...values);
  sql("insert into accounts (id, email, created_at) values ('acc', 'a@example.org', 1)");
  const proof = (id: string, evidence: object | null, trimmed = 0) => {
    sql(
      "insert into domains (id, account_id, name, unicode_name, created_at) values (?, 'acc', ?, ?, 1)",
      `dom_${id}`,
      id,
      id,
    );
    sql(
      "insert into claims (id, account_id, domain_id, name, token, challenge_label, created_at, expires_at) values (?, 'acc', ?, ?, ?, '_c', 1, 9)",
      `clm_${id}`,
      `dom_${id}`,
      id,
      `token_${id}`,
    );
    sql(
      "insert into verifications (id, claim_id, account_id, wait_reason, wait_until, next_run_at, deadline, created_at) values (?, ?, 'acc', 'first_check', 1, 1, 9, 1)",
      `ver_${id}`,
      `clm_${id}`,
    );
    if (!evidence) return;
    sql(
      "insert into attempts (id, verification_id, trigger, outcome, at) values (?, ?, 'scheduled', 'found', 2)",
      `att_${id}`,
      `ver_${id}`,
    );
    sql(
      "insert into attempt_evidence (attempt_id, evidence, trimmed, at) values (?, ?, ?, 2)",
      `att_${id}`,
      JSON.stringify(evidence),
      trimmed,
    );
    sql("update claims set state = 'proved', ended_at = 3 where id = ?", `clm_${id}`);
  };
  const answer = (token: string, rest = {}) => ({
    result: "answered",
    answer: { rcode: "NOERROR", values: ["v=spf1", token], alias: null, ...rest },
  });
  const silent = { result: "timeout", answer: null };
  const delegation = (count: number) => ({
    type: "delegated",
    nameservers: Array.from({ length: count }, (_, i) => `ns${i}`),
  });
  proof("whole", {
    delegation: delegation(4),
    servers: [answer("token_whole"), answer("token_whole"), answer("other"), silent],
  });
  proof("alias", {
    delegation: delegation(2),
    servers: [
      answer("token_alias"),
      answer("token_alias", { alias: { type: "CNAME", target: "x" } }),
    ],
  });
  proof("many", { delegation: delegation(20), servers: Array(13).fill(answer("token_many")) });
  const kept = { result: "answered", hasToken: true };
  proof("short", { servers: [kept, kept, { result: "timeout", hasToken: false }] }, 1);
  proof("thirteen", { servers: Array(13).fill(kept) }, 1);
  proof("odd", {});
  proof("open", null);

  migrateDatabase(db);
  const rows = db.$client.prepare("select name, nameservers from claims").all() as {
    name: string;
    nameservers: string | null;
  }[];
  const counted = Object.fromEntries(
    rows.map(({ name, nameservers }) => [name, nameservers && JSON.parse(nameservers)]),
  );
  expect(counted).toEqual({
    whole: { delegated: 4, answered: 3, holding: 2 },
    alias: { delegated: 2, answered: 2, holding: 1 },
    many: { delegated: 20, answered: 13, holding: 13 },
    short: { delegated: 3, answered: 2, holding: 2 },
    thirteen: null,
    odd: null,
    open: null,
  });
  const count = (table: string) =>
    db.$client.prepare(`select count(*) from ${table}`).pluck().get();
  expect([count("verifications"), count("attempts"), count("attempt_evidence")]).toEqual([7, 6, 6]);
});
