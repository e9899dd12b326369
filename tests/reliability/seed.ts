import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { newId, newSlug } from "#app/core/ids.server.ts";
import { hashSecret } from "#app/http/caller/cookies.server.ts";
import { openDatabase } from "#db/client.ts";
import { migrateDatabase } from "#db/migrate.ts";

const DAY = 24 * 3_600_000;
const AGE_MS = 2 * DAY;
const WINDOW_MS = 7 * DAY;
const SESSION_MS = 30 * DAY;

/** The token of a seeded claim is derived from its name, so that these tests' DNS server knows it too. */
export const seededToken = (name: string): string =>
  `service_v1_${createHash("sha1").update(name).digest("hex")}`;

export type Seeded = {
  accounts: string[];
  cookies: string[];
  claims: { id: string; verificationId: string; domainId: string; name: string }[];
  /** Slugs of proved claims besides the open ones, one per account. */
  slugs: string[];
};

/** Fills a database, perhaps of a stopped service. With `due`, claims became due a day ago, else in ten minutes. */
export function seed(
  path: string,
  {
    accounts,
    claims,
    due,
  }: {
    accounts: number;
    claims: number;
    due: boolean;
  },
): Seeded {
  const isNew = !existsSync(path);
  const db = openDatabase(path);
  if (isNew) migrateDatabase(db);
  const sql = db.$client;
  const insert = (table: string, columns: string) =>
    sql.prepare(`insert into ${table} (${columns}) values (${columns.split(",").map(() => "?")})`);
  const account = insert("accounts", "id,email,created_at");
  const session = insert("sessions", "id,person_id,token_hash,created_at,last_used_at,expires_at");
  const domain = insert("domains", "id,account_id,name,unicode_name,created_at");
  const claim = insert(
    "claims",
    "id,account_id,domain_id,name,token,challenge_label,created_at,expires_at",
  );
  const verification = insert(
    "verifications",
    "id,claim_id,account_id,wait_reason,wait_until,next_run_at,deadline,created_at",
  );
  const feed = insert("change_feed", "account_id,type,ids,at");
  const attempt = insert("attempts", "id,verification_id,trigger,outcome,latency_ms,at");
  const evidence = insert("attempt_evidence", "attempt_id,evidence,trimmed,at");
  const link = insert("proof_links", "slug,claim_id,issued_at");
  const settle = sql.prepare("update domains set status = ?, claim_id = ? where id = ?");

  const now = Date.now();
  const createdAt = now - AGE_MS;
  const open = (accountId: string, name: string, nextRunAt: number) => {
    const ids = {
      domainId: newId("dom", createdAt),
      claimId: newId("clm", createdAt),
      verificationId: newId("ver", createdAt),
    };
    const { domainId, claimId, verificationId } = ids;
    const deadline = createdAt + WINDOW_MS;
    domain.run(domainId, accountId, name, name, createdAt);
    claim.run(
      claimId,
      accountId,
      domainId,
      name,
      seededToken(name),
      "_service-challenge",
      createdAt,
      deadline,
    );
    verification.run(
      verificationId,
      claimId,
      accountId,
      "first_check",
      nextRunAt,
      nextRunAt,
      deadline,
      createdAt,
    );
    feed.run(accountId, "claim.opened", JSON.stringify(ids), now);
    settle.run("pending", claimId, domainId);
    return { id: claimId, verificationId, domainId, name };
  };
  const prove = (accountId: string, { id, verificationId, domainId }: Seeded["claims"][number]) => {
    const attemptId = newId("att", createdAt);
    attempt.run(attemptId, verificationId, "first_check", "found", 40, createdAt);
    evidence.run(attemptId, JSON.stringify({ servers: [], witnesses: [] }), 1, createdAt);
    sql
      .prepare("update claims set state = 'proved', ended_at = ? where id = ?")
      .run(createdAt + 1, id);
    sql
      .prepare(
        "update verifications set status = 'proved', last_outcome = 'found', wait_reason = null, wait_until = null, next_run_at = null where id = ?",
      )
      .run(verificationId);
    settle.run("proved", id, domainId);
    feed.run(accountId, "verification.ran", JSON.stringify({ verificationId, claimId: id }), now);
    feed.run(
      accountId,
      "claim.ended",
      JSON.stringify({ verificationId, claimId: id, domainId }),
      now,
    );
    const slug = newSlug();
    link.run(slug, id, createdAt + 1);
    return slug;
  };

  const seeded: Seeded = { accounts: [], cookies: [], claims: [], slugs: [] };
  sql.transaction(() => {
    for (let i = 0; i < accounts; i++) {
      const id = newId("acc", createdAt);
      account.run(id, `holder${i}@seed.example`, createdAt);
      seeded.accounts.push(id);
      const secret = createHash("sha256").update(id).digest("base64url");
      session.run(
        newId("ses", now),
        `per_${id.slice(4)}`,
        hashSecret(secret),
        now,
        now,
        now + SESSION_MS,
      );
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
