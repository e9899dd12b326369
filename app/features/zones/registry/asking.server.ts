import { registeredName } from "@deed/dns/names.ts";
import { serverFor } from "@deed/dns/rdap/bootstrap.ts";
import { nameToAsk } from "@deed/dns/rdap/relevance.ts";
import type { Decision } from "@deed/dns/verdict/diagnosis.ts";
import { commit } from "#app/core/commit.server.ts";
import type { Context } from "#app/core/context.server.ts";
import { askedWait } from "#app/core/outbound/outbound.server.ts";
import { HOUR } from "#app/core/time.ts";
import { registrations } from "#db/schema.ts";
import { type Asked, askRegistry } from "./ask.server.ts";
import { registrationOf } from "./registrations.server.ts";

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
  const row = registrationOf(ctx.db).get({ name });
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
