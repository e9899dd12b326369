import { beforeEach, describe, expect, test } from "vitest";
import type { Db } from "./client.ts";
import { migrateDatabase } from "./migrate.ts";
import { databaseBefore } from "./testing.ts";

const OPENED = 1_000_000_000;
const DAY = 86_400_000;

let db: Db;

/** A domain with a proved claim of these dates. */
const proved = (n: number, createdAt: number, endedAt: number) =>
  db.$client.exec(`
    insert into domains (id, account_id, name, unicode_name, created_at)
      values ('dom_${n}', 'acc', 'n${n}.example', 'n${n}.example', 1);
    insert into claims (id, account_id, domain_id, name, token, challenge_label, state, created_at, ended_at, expires_at)
      values ('clm_${n}', 'acc', 'dom_${n}', 'n${n}.example', 't${n}', '_c', 'proved', ${createdAt}, ${endedAt}, ${createdAt + 7 * DAY});
    insert into verifications
      (id, claim_id, account_id, status, last_outcome, last_run_at, deadline, created_at)
      values ('ver_${n}', 'clm_${n}', 'acc', 'proved', 'found', ${endedAt}, ${createdAt + 7 * DAY}, ${createdAt});
    insert into proof_links (slug, claim_id, issued_at) values ('slug_${n}', 'clm_${n}', ${endedAt});`);

describe("a database from before times were checked", () => {
  beforeEach(() => {
    db = databaseBefore("0004_time");
    db.$client.exec(
      "insert into accounts (id, email, created_at) values ('acc', 'a@b.example', 1)",
    );
  });
  const all = (statement: string) => db.$client.prepare(statement).raw().all();

  test("keeps its proofs and what hangs on them; one dated before its claim is dated by it", () => {
    proved(1, OPENED, OPENED + 60_000);
    proved(2, OPENED, OPENED - 400 * DAY);
    migrateDatabase(db);
    expect(
      all("select id, state, created_at, ended_at, proved_at from claims order by id"),
    ).toEqual([
      ["clm_1", "proved", OPENED, OPENED + 60_000, OPENED + 60_000],
      ["clm_2", "proved", OPENED, OPENED, OPENED],
    ]);
    expect(all("select slug from proof_links order by slug")).toEqual([["slug_1"], ["slug_2"]]);
    expect(all("select id from verifications order by id")).toEqual([["ver_1"], ["ver_2"]]);
    expect(() => db.$client.exec("update claims set ended_at = ended_at + 1")).toThrow(
      /claims_end_is_final/,
    );
    expect(db.$client.pragma("integrity_check", { simple: true })).toBe("ok");
    expect(db.$client.pragma("foreign_key_check")).toEqual([]);
  });

  test("was last written when its newest time of the past was", () => {
    proved(1, OPENED, OPENED + 60_000);
    migrateDatabase(db);
    expect(all("select id, at from heartbeat")).toEqual([[1, OPENED + 60_000]]);
  });

  test("was never written where nothing is in it", () => {
    migrateDatabase(db);
    expect(all("select id, at from heartbeat")).toEqual([]);
  });
});
