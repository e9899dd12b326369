import { existsSync } from "node:fs";
import { isNotNull } from "drizzle-orm";
import { published, testService } from "#app/core/testing/service.ts";
import { DAY, MINUTE } from "#app/core/time.ts";
import { openClaim } from "#app/features/claims/claims.server.ts";
import type { Claim } from "#app/features/claims/resources.ts";
import { addDomain } from "#app/features/domains/domains.server.ts";
import { hashSecret, newSecret } from "#app/http/caller/cookies.server.ts";
import { SESSION_LIFETIME_MS } from "#app/http/caller/session.server.ts";
import { openDatabase } from "#db/client.ts";
import { migrateDatabase } from "#db/migrate.ts";
import { sessions, verifications } from "#db/schema.ts";

export type Seeded = {
  cookies: string[];
  /** Open claims, n0.com and on, of the accounts in turn. */
  claims: Claim[];
  /** Slugs of proved claims besides the open claims, one per account. */
  slugs: string[];
};

type Wanted = { accounts: number; claims: number; due: boolean };

/** Fills a database, perhaps a stopped service's, as a day ago. With `due`, claims are due since then, else in ten minutes. */
export async function seed(path: string, { accounts, claims, due }: Wanted): Promise<Seeded> {
  const isNew = !existsSync(path);
  const db = openDatabase(path);
  if (isNew) migrateDatabase(db);
  db.$client.pragma("synchronous = off");
  const service = testService(db);
  const { ctx } = service;
  const now = Date.now();
  service.now = now - DAY;
  const seeded: Seeded = { cookies: [], claims: [], slugs: [] };
  const ids: string[] = [];
  for (let i = 0; i < accounts; i++) {
    const name = `proved${i}.com`;
    const { account, link } = await published(service, `holder${i}@seed.example`, name);
    ids.push(account.id);
    seeded.slugs.push(link.slug);
    const secret = newSecret();
    const times = { createdAt: now, lastUsedAt: now, expiresAt: now + SESSION_LIFETIME_MS };
    const session = { personId: account.person.id, tokenHash: hashSecret(secret), ...times };
    db.insert(sessions)
      .values({ id: `ses_${i}`, ...session })
      .run();
    seeded.cookies.push(`session=${secret}`);
  }
  for (let i = 0; i < claims; i++) {
    const account = ids[i % accounts] ?? "";
    const { domain } = await addDomain(ctx, account, `n${i}.com`);
    seeded.claims.push(await openClaim(ctx, account, domain.id));
  }
  const later = db.update(verifications).set({ nextRunAt: now + 10 * MINUTE });
  if (!due) later.where(isNotNull(verifications.nextRunAt)).run();
  db.$client.close();
  return seeded;
}
