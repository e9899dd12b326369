import { statSync } from "node:fs";
import { beforeEach, describe, expect, test } from "vitest";
import type { Db } from "./client.ts";
import { migrateDatabase } from "./migrate.ts";
import { testFile } from "./testing.files.ts";
import { testDatabase } from "./testing.ts";

const OPENED = 1_000_000;
const WEEK = 604_800_000;

let db: Db;
const sql = (statement: string) => db.$client.exec(statement);
const refuses = (statement: string, rule: RegExp) => expect(() => sql(statement)).toThrow(rule);
const value = (statement: string) => db.$client.prepare(statement).pluck().get();

/** A row as SQL: text in quotes, numbers and null as they are. */
const into = (table: string, row: Record<string, string | number | null>) => {
  const values = Object.values(row).map((one) => (typeof one === "string" ? `'${one}'` : one));
  return `insert into ${table} (${Object.keys(row)}) values (${values.map(String)})`;
};
const set = (table: string, columns: string) => `update ${table} set ${columns}`;
const ACC = { account_id: "acc_1" };
const CANCELED = { state: "canceled", ended_at: OPENED };
const account = (id: string, email: string) => into("accounts", { id, email, created_at: OPENED });
const OPEN = { created_at: OPENED, expires_at: OPENED + WEEK };
const domain = (id: string, account_id = "acc_1", name = `${id}.example`) =>
  into("domains", { id, account_id, name, unicode_name: name, created_at: OPENED });
const claimRow = (id: string, domain_id = "dom_1") => ({
  ...{ id, ...ACC, domain_id, name: `${domain_id}.example` },
  ...{ token: `token_${id}`, challenge_label: "_c", ...OPEN },
});
const claim = (id: string, more = {}) => into("claims", { ...claimRow(id), ...more });
const verification = (id: string, claim_id: string) =>
  into("verifications", {
    ...{ id, claim_id, ...ACC, wait_reason: "first_check", wait_until: 1 },
    ...{ next_run_at: OPENED, deadline: OPENED + WEEK, created_at: OPENED },
  });
const attempt = (id: string, outcome = "found", more = {}) => {
  const row = { id, verification_id: "ver_1", trigger: "scheduled", outcome, at: OPENED };
  return into("attempts", { ...row, ...more });
};
const evidence = (attempt_id: string, json = "{}") =>
  into("attempt_evidence", { attempt_id, evidence: json, at: OPENED });
const link = (slug: string) => into("proof_links", { slug, claim_id: "clm_1", issued_at: OPENED });
const handoff = (slug: string) => into("handoffs", { slug, claim_id: "clm_1", created_at: OPENED });
const notice = (id: string, kind = "nudge", created_at = OPENED) =>
  into("notices", { id, ...ACC, kind, domain_id: "dom_1", claim_id: "clm_1", created_at });
const watch = (more: object) => {
  const seen = { started_at: OPENED, seen_at: OPENED, told: "[]", nameservers: "[]" };
  return into("watches", { claim_id: "clm_1", purpose: "removal", ...seen, slug: "s", ...more });
};
const signInLink = (more: object) => {
  const hashes = { id: "l", token_hash: "h", code_hash: "c", email: "e", callback_path: "/" };
  return into("sign_in_links", { ...hashes, created_at: 1, expires_at: 2, ...more });
};

const proof = `update claims set state = 'proved', ended_at = ${OPENED + 1} where id = 'clm_1'`;

const prove = () => {
  sql(attempt("att_1"));
  sql(evidence("att_1"));
  sql(proof);
};

beforeEach(() => {
  db = testDatabase();
  sql(account("acc_1", "a@example.org"));
  sql(account("acc_2", "b@example.org"));
  sql(domain("dom_1"));
  sql(claim("clm_1"));
  sql(verification("ver_1", "clm_1"));
});

/** A table, an update, and the rule that refuses it. */
const REFUSED_UPDATES = `
  people: oidc_issuer = 'i' → people_oidc_whole
  domains: status = 'lost' → domains_status
  domains: status = 'proved' → domains_claim_in_play
  domains: archived = 1, status = 'pending', claim_id = 'clm_1' → domains_archived_closed
  claims: state = 'lost', ended_at = 1 → claims_state
  claims: state = 'canceled' → claims_end_has_a_date
  claims: ended_at = 1 → claims_end_has_a_date
  claims: state = 'expired', ended_at = expires_at + 1 → claims_expired_at_deadline
  claims: expires_at = created_at → claims_window
  claims: provider = 'vercel' → claims_provider
  claims: nameservers = '{}' → claims_nameservers
  claims: state = 'canceled', ended_at = 2, next_notice_at = 3 → claims_notice_while_open
  claims: state = 'proved', ended_at = created_at + 1 → claims_proof_has_evidence
  verifications: status = 'lost' → verifications_
  verifications: last_outcome = 'x' → verifications_outcome
  verifications: provider = 'x' → verifications_provider
  verifications: wait_reason = 'x' → verifications_wait_reason
  verifications: diagnosis = '{}' → verifications_diagnosis_or_wait
  verifications: wait_reason = null, wait_until = null → verifications_diagnosis_or_wait
  verifications: wait_until = null → verifications_wait_whole
  verifications: status = 'propagating' → verifications_status_means
  verifications: status = 'needs_attention' → verifications_status_means
  verifications: diagnosis = '{}', wait_reason = null, wait_until = null → verifications_status_means
  verifications: status = 'stopped' → verifications_runs_while_open
  verifications: next_run_at = null → verifications_runs_while_open
  verifications: next_run_at = deadline + 1 → verifications_next_before_deadline
  verifications: run_id = 'a' → verifications_run_whole
  verifications: status = 'stopped', next_run_at = null, run_id = 'a', run_until = 1 → verifications_run_while_open
`;
const updates = [...REFUSED_UPDATES.matchAll(/^ +(\w+): (.*) → (\w+)$/gm)].map(
  ([, table = "", columns = "", rule = ""]) => [set(table, columns), RegExp(rule)] as const,
);
const PROVED_BEFORE = /CHECK.*claims_proved_after_opening/;
const session = { id: "s", person_id: "per_1", token_hash: "h", last_used_at: 2 };

describe("the database refuses", () => {
  test.each<readonly [statement: string, rule: RegExp]>([
    ...updates,
    [account("acc_3", "a@example.org"), /UNIQUE.*accounts\.email/],
    [into("account_events", { ...ACC, kind: "x", at: OPENED }), /account_events_kind/],
    [domain("dom_2", "acc_1", "dom_1.example"), /UNIQUE.*domains/],
    [domain("dom_2", "acc_1", "x".repeat(254)), /domains_name_length/],
    [claim("clm_2"), /UNIQUE.*claims\.domain_id/],
    [claim("clm_2", { token: "token_clm_1", ...CANCELED }), /UNIQUE.*claims\.token/],
    [claim("clm_2", { account_id: "acc_2" }), /FOREIGN KEY|UNIQUE/],
    [claim("clm_2", { name: "other.example" }), /claims_need_a_listed_domain/],
    [claim("c", { state: "proved", created_at: 5, ended_at: 4, expires_at: 9 }), PROVED_BEFORE],
    [verification("ver_2", "clm_1"), /UNIQUE.*verifications/],
    [attempt("a", "found", { trigger: "x" }), /attempts_trigger/],
    [attempt("a", "lost"), /attempts_outcome/],
    [attempt("a", "found", { diagnosis: "{}" }), /attempts_diagnosis_of_absent/],
    [`${attempt("a", "absent")}; ${attempt("b", "absent", { same_as: "a" })}`, /attempts_same_as/],
    [`${attempt("a")}; ${evidence("a", "{")}`, /attempt_evidence_json/],
    [link("s"), /proof_links_need_a_proof/],
    [notice("n", "x"), /notices_kind/],
    [watch({ registry: "x" }), /watches_registry/],
    [into("change_feed", { ...ACC, type: "x", ids: "{}", at: 1 }), /change_feed_type/],
    [into("change_feed", { ...ACC, type: "claim.opened", ids: "x", at: 1 }), /change_feed_ids/],
    [into("sessions", { ...session, created_at: 2, expires_at: 2 }), /sessions_order/],
    [into("heartbeat", { id: 2, at: 1 }), /heartbeat_one/],
    [signInLink({ code_tries: 6 }), /sign_in_links_code_tries/],
    [signInLink({ callback_path: "https://x" }), /sign_in_links_path/],
  ])("%s", refuses);

  test("a proof past the window, or before its claim", () => {
    sql(attempt("att_1"));
    sql(evidence("att_1"));
    const late = set("claims", `state = 'proved', ended_at = ${OPENED + WEEK + 1}`);
    refuses(late, /claims_proved_in_window/);
    const early = set("claims", `state = 'proved', ended_at = ${OPENED - 1} where id = 'clm_1'`);
    refuses(early, PROVED_BEFORE);
    sql(set("claims", `state = 'proved', ended_at = ${OPENED} where id = 'clm_1'`));
    expect(value("select proved_at from claims")).toBe(OPENED);
    refuses(set("claims", `created_at = ${OPENED + 1}`), PROVED_BEFORE);
  });

  test("a second find of an ended claim, handing it over, and moving it", () => {
    prove();
    refuses(attempt("att_2"), /UNIQUE.*attempts/);
    refuses(handoff("one"), /handoffs_need_an_open_claim/);
    for (const columns of ["state = 'pending', ended_at = null", "ended_at = 5", "token = 'x'"])
      refuses(set("claims", columns), /claims_end_is_final/);
  });

  test.each([
    ["proof_links", prove, link],
    ["handoffs", () => {}, handoff],
  ] as const)("a second live one of %s, and bringing one back", (table, before, made) => {
    before();
    sql(made("one"));
    refuses(made("two"), RegExp(`UNIQUE.*${table}`));
    refuses(set(table, "revoked_at = 1"), RegExp(`${table}_order`));
    sql(set(table, `revoked_at = ${OPENED + 1}`));
    refuses(set(table, "revoked_at = null"), RegExp(`${table}_revoked_for_good`));
    sql(made("two"));
  });

  test("claims and links of an archived domain", () => {
    prove();
    sql(set("domains", "archived = 1"));
    refuses(link("one"), /proof_links_need_a_proof/);
    refuses(claim("clm_2"), /claims_need_a_listed_domain/);
  });

  test("telling the same twice within a day", () => {
    sql(notice("ntc_1"));
    refuses(notice("ntc_2", "nudge", OPENED + 86_399_999), /notices_once_a_day/);
    sql(notice("ntc_3", "nudge", OPENED + 86_400_000));
    sql(notice("ntc_4", "expiring"));
  });

  test("a mail both sent and due", () => {
    sql(notice("ntc_1"));
    const both = { notice_id: "ntc_1", person_id: "per_1", due_at: 1, mailed_at: 1 };
    refuses(into("notice_mails", both), /notice_mails_once/);
  });
});

describe("the counts", () => {
  const counts = () =>
    db.$client.prepare("select * from domain_counts where account_id = 'acc_1'").get();

  test("follow every change of a domain", () => {
    expect(counts()).toMatchObject({ unclaimed: 1, pending: 0, archived: 0 });
    sql(set("domains", "status = 'pending', claim_id = 'clm_1'"));
    expect(counts()).toMatchObject({ unclaimed: 0, pending: 1 });
    sql(set("domains", "status = 'proved'"));
    sql(set("domains", "archived = 1"));
    expect(counts()).toMatchObject({ pending: 0, proved: 0, archived: 1 });
    sql(set("domains", "archived = 0"));
    expect(counts()).toMatchObject({ proved: 1, archived: 0 });
    sql("delete from domains");
    expect(counts()).toMatchObject({ unclaimed: 0, proved: 0, archived: 0 });
  });

  test("go with their account", () => {
    sql("delete from accounts where id = 'acc_1'");
    expect(counts()).toBeUndefined();
    expect(value("select count(*) from claims")).toBe(0);
  });
});

test("the file is its owner's alone, in WAL with full synchrony, and migrates twice to the same", () => {
  const { path, db: made } = testFile();
  const schema = () =>
    made.$client.prepare("select group_concat(sql) from sqlite_master").pluck().get();
  const once = schema();
  migrateDatabase(made);
  expect(schema()).toBe(once);
  expect(made.$client.pragma("journal_mode", { simple: true })).toBe("wal");
  expect(made.$client.pragma("synchronous", { simple: true })).toBe(2);
  expect(made.$client.pragma("foreign_keys", { simple: true })).toBe(1);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});
