import { registeredName } from "@deed/dns/names.ts";
import type { Registration } from "@deed/dns/rdap/answer.ts";
import { serverFor } from "@deed/dns/rdap/bootstrap.ts";
import { nameToAsk } from "@deed/dns/rdap/relevance.ts";
import { explanations, type RegistryAnswer } from "@deed/dns/rdap/sentences.ts";
import type { Decision, Diagnosis } from "@deed/dns/verdict/diagnosis.ts";
import { eq, lte } from "drizzle-orm";
import { commit } from "#app/core/commit.server.ts";
import type { Context } from "#app/core/context.server.ts";
import { askedWait } from "#app/core/outbound/outbound.server.ts";
import { DAY, HOUR, iso, isoOrNull } from "#app/core/time.ts";
import type { Db, Tx } from "#db/client.ts";
import { registrations } from "#db/schema.ts";
import type { Registry } from "../resources.ts";
import { type Asked, askRegistry } from "./ask.server.ts";

/** How long an answer is shown and kept. */
export const REGISTRATION_KEPT_MS = DAY;

const registrationOf = (db: Db | Tx, name: string) =>
  db.select().from(registrations).where(eq(registrations.name, name)).get();

type Subject = {
  claim: { name: string };
  verification: { diagnosis: string | null; zone: string | null };
};

/**
 * What the registry said of a claim's name, where its diagnosis turns on the delegation; null if it was not asked in the
 * last day or gave no usable answer. `now`: epoch milliseconds.
 */
export function registryOf(db: Db | Tx, { claim, verification }: Subject, now: number) {
  if (verification.diagnosis === null) return null;
  const diagnosis: Diagnosis = JSON.parse(verification.diagnosis);
  const name = nameToAsk({ name: claim.name, zone: verification.zone }, diagnosis);
  const row = name === null ? undefined : registrationOf(db, name);
  if (!row || row.answeredAt === null || now - row.answeredAt > REGISTRATION_KEPT_MS) return null;
  const registration: Registration | null = row.registration && JSON.parse(row.registration);
  return toRegistry({ name: row.name, at: row.answeredAt, registration }, diagnosis);
}

/** The answer, and what it says to a diagnosis, as the API and the pages show it. */
export function toRegistry(answer: RegistryAnswer, diagnosis: Diagnosis): Registry {
  const { name, at, registration } = answer;
  const explained = explanations(answer, diagnosis);
  return {
    name,
    registered: registration !== null,
    statuses: registration?.statuses ?? [],
    expiresAt: isoOrNull(registration?.expiresAt ?? null),
    nameservers: registration?.nameservers ?? null,
    delegationSigned: registration?.delegationSigned ?? null,
    cause: explained.map(({ cause }) => cause).join(" ") || null,
    fix: explained[0]?.fix ?? null,
    askedAt: iso(at),
  };
}

/** Deletes what no page shows any more. */
export const forgetRegistrations = (tx: Tx, now: number): void =>
  void tx
    .delete(registrations)
    .where(lte(registrations.askedAt, now - REGISTRATION_KEPT_MS))
    .run();

/** How long a name is not asked about again. */
const AGAIN_MS = HOUR;

/** Remembers that a registry may explain what a read found. Costs the read nothing. */
export function wantRegistry(
  ctx: Context,
  claim: { name: string; zone: string | null },
  decision: Decision,
): void {
  if (!ctx.registry || decision.outcome !== "absent" || !decision.diagnosis) return;
  const name = nameToAsk(claim, decision.diagnosis);
  if (name !== null) ctx.wantedNames.want(name);
}

/** Whether a claim's registry is about to be asked, so that its answer is worth waiting for. */
export function isAskingRegistry(ctx: Context, name: string): boolean {
  const registered = registeredName(name);
  return registered !== null && ctx.wantedNames.has(registered);
}

/** Whether the name was asked about too lately. A date in the future is a clock's mistake. */
function isTooSoon(ctx: Context, name: string, now: number): boolean {
  const row = registrationOf(ctx.db, name);
  return row !== undefined && row.nextAt > now && row.askedAt <= now;
}

/** The next name whose server does not rest. Forgets those that need not or cannot be asked about. */
function nextName(ctx: Context, now: number): { name: string; base: string } | null {
  const { wantedNames } = ctx;
  for (const name of wantedNames.waiting) {
    const base = ctx.registry && serverFor(ctx.registry.list.current(), name);
    if (base && wantedNames.isResting(base, now)) continue;
    if (base && !isTooSoon(ctx, name, now)) return { name, base };
    wantedNames.drop(name);
  }
  return null;
}

/**
 * Asks about one name that waits, if its server may be asked: called once a second, so at most sixty a minute in all.
 * `signal` ends it without a trace.
 */
export async function askNext(ctx: Context, signal: AbortSignal): Promise<void> {
  const { registry, wantedNames } = ctx;
  if (!registry || wantedNames.waiting.length === 0) return;
  await registry.list.renew(ctx.clock(), signal);
  const next = nextName(ctx, ctx.clock());
  if (!next || signal.aborted) return;
  wantedNames.take(next.name, next.base, ctx.clock());
  const userAgent = `Deed/${ctx.settings.version}`;
  try {
    const asked = await askRegistry(registry.outbound, { ...next, userAgent }, signal);
    if (!signal.aborted) await record(ctx, next, asked);
  } finally {
    wantedNames.done();
  }
}

/** Writes an answer; after a failure, the answer from before stays with its date. */
async function record(ctx: Context, { name, base }: { name: string; base: string }, asked: Asked) {
  const now = ctx.clock();
  const wait = asked.type === "failed" ? askedWait(asked.retryAfter, now) : 0;
  if (wait > 0) ctx.wantedNames.rest(base, now, wait);
  if (asked.type === "failed") ctx.log.debug({ name, base, why: asked.why }, "no RDAP answer");
  const answer =
    asked.type === "failed"
      ? {}
      : {
          answeredAt: now,
          registration: asked.type === "registered" ? JSON.stringify(asked.registration) : null,
        };
  const row = { askedAt: now, nextAt: now + Math.max(AGAIN_MS, wait), ...answer };
  await commit(ctx, (tx) =>
    tx
      .insert(registrations)
      .values({ name, ...row })
      .onConflictDoUpdate({ target: registrations.name, set: row })
      .run(),
  );
}
