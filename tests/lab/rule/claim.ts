import { createReader } from "@deed/dns/resolve/create-reader.ts";
import type { ReaderSettings } from "@deed/dns/resolve/reader.ts";
import { HISTORY } from "@deed/dns/testing/observations.ts";
import { decide } from "@deed/dns/testing/verdicts.ts";
import { describeDecision } from "@deed/dns/testing/world.ts";
import { type NameserverCount, nameserverCount } from "@deed/dns/verdict/publication-status.ts";
import { isPortShut } from "@deed/dns/verdict/shut-port.ts";
import { eq } from "drizzle-orm";
import { claimed, testService } from "#app/core/testing/service.ts";
import { MINUTE, SECOND } from "#app/core/time.ts";
import { startDueReads } from "#app/features/claims/runs.server.ts";
import type { VerificationRow } from "#app/features/claims/transition.ts";
import { runVerification } from "#app/features/claims/verifications.server.ts";
import { claims, readDueAt, verifications } from "#db/schema.ts";
import { LABEL, TOKEN } from "../case.ts";

/** How long to follow a claim: past the second read of a claim that waits five minutes for it. */
const WATCHED_MS = 7 * MINUTE;
const FORCED_AFTER_MS = 10 * SECOND;

export type Life = {
  state: string;
  /** Each read's result, in a few words. */
  words: string[];
  /** When each read started, epoch milliseconds. */
  at: number[];
  count: NameserverCount | null;
  verification: VerificationRow | null;
};

/** The product's clock, database and schedule over real DNS: opens a claim, and reads it whenever a read is due. */
export async function live(domain: string, settings: ReaderSettings): Promise<Life> {
  const service = testService();
  const { ctx } = service;
  service.now = Date.now();
  const reader = createReader({ ...settings, clock: () => service.now });
  const life: Life = { state: "", words: [], at: [], count: null, verification: null };
  const readChallenge: typeof reader.readChallenge = async (question, signal) => {
    life.at.push(service.now);
    const seen = await reader.readChallenge(question, signal);
    life.count = nameserverCount(seen);
    return seen;
  };
  ctx.reader = { ...reader, readChallenge };
  ctx.onRead = (decision) => void life.words.push(describeDecision(decision));
  try {
    const { account, claim } = await claimed(service, "rule@holder.example", domain);
    ctx.db.update(claims).set({ token: TOKEN }).where(eq(claims.id, claim.id)).run();
    const opened = service.now;
    const row = () => ctx.db.select().from(verifications).get();
    const dueAt = () => ctx.db.select({ at: readDueAt }).from(verifications).get()?.at;
    for (let due = dueAt(); due && due <= opened + WATCHED_MS; due = dueAt()) {
      const before = life.words.length;
      // Like a worker that is a minute late, since each read of so many claims waits for silent servers.
      service.now = Math.max(service.now, due, (life.at.at(-1) ?? 0) + MINUTE);
      await startDueReads(ctx, 1);
      await Promise.all([...ctx.runs.byKey.values()].map(({ done }) => done));
      if (life.words.length === before) throw new Error(`${domain} was not read when it was due`);
      if (before > 0 || !row()?.nextRunAt) continue;
      service.now += FORCED_AFTER_MS;
      await runVerification(ctx, account.id, claim.verificationId, AbortSignal.timeout(MINUTE));
    }
    life.verification = row() ?? null;
    life.state = ctx.db.select().from(claims).get()?.state ?? "";
    return life;
  } finally {
    reader.close();
    ctx.db.$client.close();
  }
}

/** The result of one read of a claim if nothing answers on the reader's port. */
export async function readOverHttps(domain: string, settings: ReaderSettings): Promise<string> {
  const reader = createReader(settings);
  const overHttps = { openedAt: Date.now(), held: [] };
  try {
    const question = { domain, label: LABEL, token: TOKEN, overHttps };
    const seen = await reader.readChallenge(question, AbortSignal.timeout(MINUTE));
    return isPortShut(seen) ? describeDecision(decide(seen, HISTORY)) : "port 53 is open";
  } finally {
    reader.close();
  }
}
