import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import type { Statement } from "better-sqlite3";
import { newId, newSlug } from "#app/core/ids.server.ts";
import { DAY } from "#app/core/time.ts";
import { WINDOW_MS } from "#app/features/claims/transition.ts";
import { hashSecret } from "#app/http/caller/cookies.server.ts";
import { SESSION_LIFETIME_MS } from "#app/http/caller/session.server.ts";
import { openDatabase } from "#db/client.ts";
import { migrateDatabase } from "#db/migrate.ts";

const AGE_MS = 2 * DAY;

/** A seeded claim's token is derived from its name, so that these tests' DNS server knows it too. */
export const seededToken = (name: string): string =>
  `service_v1_${createHash("sha1").update(name).digest("hex")}`;

export type Seeded = {
  accounts: string[];
  cookies: string[];
  claims: { id: string; verificationId: string; domainId: string; name: string }[];
  /** Slugs of proved claims besides the open claims, one per account. */
  slugs: string[];
};

type Row = Record<string, string | number | null>;
type Wanted = { accounts: number; claims: number; due: boolean };

/** Fills a database, perhaps a stopped service's. With `due`, claims became due a day ago, else in ten minutes. */
export function seed(path: string, { accounts, claims, due }: Wanted): Seeded {
  const isNew = !existsSync(path);
  const db = openDatabase(path);
  if (isNew) migrateDatabase(db);
  const sql = db.$client;
  const statements = new Map<string, Statement>();
  const insert = (table: string, row: Row) => {
    const columns = Object.keys(row);
    const values = columns.map((column) => `@${column}`);
    const query = `insert into ${table} (${columns}) values (${values})`;
    const statement = statements.get(query) ?? sql.prepare(query);
    statements.set(query, statement);
    statement.run(row);
  };
  const settle = sql.prepare("update domains set status = ?, claim_id = ? where id = ?");
  const endClaim = sql.prepare("update claims set state = 'proved', ended_at = ? where id = ?");
  const endVerification = sql.prepare(
    `update verifications set status = 'proved', last_outcome = 'found', wait_reason = null,
     wait_until = null, next_run_at = null where id = ?`,
  );

  const now = Date.now();
  const created_at = now - AGE_MS;
  const tell = (account_id: string, type: string, ids: object) =>
    insert("change_feed", { account_id, type, ids: JSON.stringify(ids), at: now });
  const open = (account_id: string, name: string, next_run_at: number) => {
    const id = newId("clm", created_at);
    const [domainId, verificationId] = [newId("dom", created_at), newId("ver", created_at)];
    const own = { account_id, created_at };
    const deadline = created_at + WINDOW_MS;
    insert("domains", { id: domainId, name, unicode_name: name, ...own });
    const asked = { token: seededToken(name), challenge_label: "_service-challenge" };
    insert("claims", { id, domain_id: domainId, name, ...asked, expires_at: deadline, ...own });
    const wait = { wait_reason: "first_check", wait_until: next_run_at, next_run_at };
    insert("verifications", { id: verificationId, claim_id: id, ...wait, deadline, ...own });
    tell(account_id, "claim.opened", { claimId: id, domainId, verificationId });
    settle.run("pending", id, domainId);
    return { id, verificationId, domainId, name };
  };
  const prove = (account_id: string, claim: Seeded["claims"][number]) => {
    const { id: claimId, verificationId, domainId } = claim;
    const id = newId("att", created_at);
    const found = { trigger: "first_check", outcome: "found", latency_ms: 40, at: created_at };
    insert("attempts", { id, verification_id: verificationId, ...found });
    const evidence = JSON.stringify({ servers: [], witnesses: [] });
    insert("attempt_evidence", { attempt_id: id, evidence, trimmed: 1, at: created_at });
    endClaim.run(created_at + 1, claimId);
    endVerification.run(verificationId);
    settle.run("proved", claimId, domainId);
    tell(account_id, "verification.ran", { verificationId, claimId });
    tell(account_id, "claim.ended", { verificationId, claimId, domainId });
    const slug = newSlug();
    insert("proof_links", { slug, claim_id: claimId, issued_at: created_at + 1 });
    return slug;
  };

  const seeded: Seeded = { accounts: [], cookies: [], claims: [], slugs: [] };
  sql.transaction(() => {
    for (let i = 0; i < accounts; i++) {
      const id = newId("acc", created_at);
      insert("accounts", { id, email: `holder${i}@seed.example`, created_at });
      seeded.accounts.push(id);
      const secret = createHash("sha256").update(id).digest("base64url");
      const times = { created_at: now, last_used_at: now, expires_at: now + SESSION_LIFETIME_MS };
      const session = { person_id: `per_${id.slice(4)}`, token_hash: hashSecret(secret) };
      insert("sessions", { id: newId("ses", now), ...session, ...times });
      seeded.cookies.push(`session=${secret}`);
      seeded.slugs.push(prove(id, open(id, `proved${i}.com`, now)));
    }
    for (let i = 0; i < claims; i++) {
      const nextRunAt = due ? now - DAY + i : now + 600_000 + i;
      seeded.claims.push(open(seeded.accounts[i % accounts] ?? "", `n${i}.com`, nextRunAt));
    }
  })();
  sql.close();
  return seeded;
}
