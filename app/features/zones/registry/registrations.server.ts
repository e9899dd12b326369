import { registeredName } from "@deed/dns/names.ts";
import type { Registration } from "@deed/dns/rdap/answer.ts";
import { serverFor } from "@deed/dns/rdap/bootstrap.ts";
import { nameToAsk } from "@deed/dns/rdap/relevance.ts";
import { explanations } from "@deed/dns/rdap/sentences.ts";
import type { Decision, Diagnosis } from "@deed/dns/verdict/diagnosis.ts";
import { eq, lte } from "drizzle-orm";
import { commit } from "#app/core/commit.server.ts";
import type { Context } from "#app/core/context.server.ts";
import { retryAfterMs } from "#app/core/outbound/outbound.server.ts";
import { DAY, HOUR, iso, isoOrNull, MINUTE, SECOND } from "#app/core/time.ts";
import type { Db, Tx } from "#db/client.ts";
import { registrations } from "#db/schema.ts";
import type { Registry } from "../resources.ts";
import { askRegistry, type RegistryReply } from "./ask.server.ts";

const REPEAT_AFTER_MS = HOUR;
/** The most names that may wait; beyond that, a claim's next read asks again. */
const MAX_WAITING = 1_000;
/** The pause between two questions to one RDAP server. */
const SERVER_REST_MS = 6 * SECOND;

type Subject = {
  claim: { name: string };
  verification: { diagnosis: string | null; zone: string | null };
};

type Row = typeof registrations.$inferSelect;

const REGISTRATION_KEPT_MS = DAY;

const registrationOf = (db: Db | Tx, name: string) =>
  db.select().from(registrations).where(eq(registrations.name, name)).get();

/** Returns what the registry said about a claim's name in the last day, if the diagnosis depends on it; else null. */
export function registryOf(db: Db | Tx, { claim, verification }: Subject, now: number) {
  if (verification.diagnosis === null) return null;
  const diagnosis: Diagnosis = JSON.parse(verification.diagnosis);
  const name = nameToAsk({ name: claim.name, zone: verification.zone }, diagnosis);
  const row = name === null ? undefined : registrationOf(db, name);
  if (!row || row.answeredAt === null || now - row.answeredAt > REGISTRATION_KEPT_MS) return null;
  const registration: Registration | null = row.registration && JSON.parse(row.registration);
  const answer = { name: row.name, at: row.answeredAt, registration };
  const explanation = explanations(answer, diagnosis);
  return {
    name: row.name,
    registered: registration !== null,
    statuses: registration?.statuses ?? [],
    expiresAt: isoOrNull(registration?.expiresAt ?? null),
    nameservers: registration?.nameservers ?? null,
    delegationSigned: registration?.delegationSigned ?? null,
    cause: explanation.map(({ cause }) => cause).join(" ") || null,
    fix: explanation[0]?.fix ?? null,
    askedAt: iso(row.answeredAt),
  } satisfies Registry;
}

export function forgetRegistrations(tx: Tx, now: number): void {
  const isOld = lte(registrations.askedAt, now - REGISTRATION_KEPT_MS);
  tx.delete(registrations).where(isOld).run();
}

/** The names to ask registries about, and the servers that are not asked for a while. In memory only. */
export class RegistryQueue {
  readonly waiting = new Set<string>();
  current: string | null = null;
  /** When each server's pause began and ends, by its base URL, epoch milliseconds. */
  readonly #rests = new Map<string, { since: number; until: number }>();

  rest(server: string, now: number, ms: number): void {
    this.#rests.set(server, { since: now, until: now + ms });
  }

  /** Whether a server is not asked now. If the clock went back, nobody knows how long ago it was asked. */
  isResting(server: string, now: number): boolean {
    const rest = this.#rests.get(server);
    return rest !== undefined && rest.since <= now && now < rest.until;
  }
}

/** Returns a name's dates from an answer of the last day. Without one, asks the registry; look again at the time `again`. */
export function registrationDatesOf(ctx: Context, name: string) {
  const now = ctx.clock();
  const registered = registeredName(name);
  const base = registered && ctx.registry && serverFor(ctx.registry.list.current(), registered);
  if (!base) return { at: now, date: "no_rdap", expiresAt: null } as const;
  const row = registrationOf(ctx.db, registered);
  const at = row?.answeredAt ?? Number.POSITIVE_INFINITY;
  if (row && at <= now && now - at < REGISTRATION_KEPT_MS) {
    const answer = JSON.parse(row.registration ?? "{}") as Partial<Registration>;
    const { registeredAt, expiresAt = null } = answer;
    // A date in the future is a mistake.
    const date = registeredAt && registeredAt <= at ? registeredAt : "not_said";
    return { at, date, expiresAt } as const;
  }
  if (isTooSoon(row, now)) return { again: row.nextAt };
  if (!ctx.wantedNames.isResting(base, now)) ctx.wantedNames.waiting.add(registered);
  return { again: now + MINUTE };
}

/** Notes that a registry may explain a read's result. Does not delay the read. */
export function wantRegistry(
  { registry, wantedNames: { waiting } }: Context,
  claim: { name: string; zone: string | null },
  decision: Decision,
): void {
  if (!registry || decision.outcome !== "absent" || !decision.diagnosis) return;
  const name = nameToAsk(claim, decision.diagnosis);
  if (name !== null && waiting.size < MAX_WAITING) waiting.add(name);
}

/** Tells whether Deed will soon ask the claim's registry, so that the answer is worth waiting for. */
export function isAskingRegistry({ wantedNames }: Context, name: string): boolean {
  const registered = registeredName(name);
  if (registered === null) return false;
  return wantedNames.waiting.has(registered) || wantedNames.current === registered;
}

/** Tells whether a name was asked about too recently. A date in the future comes from a wrong clock, and does not count. */
const isTooSoon = (row: Row | undefined, now: number): row is Row =>
  row !== undefined && row.nextAt > now && row.askedAt <= now;

type NextName = { name: string; base: string };

/** Returns the next name whose server may be asked now, and forgets names that need not or cannot be asked about. */
function nextName(ctx: Context, now: number): NextName | null {
  const { wantedNames } = ctx;
  for (const name of wantedNames.waiting) {
    const base = ctx.registry && serverFor(ctx.registry.list.current(), name);
    if (base && wantedNames.isResting(base, now)) continue;
    if (base && !isTooSoon(registrationOf(ctx.db, name), now)) return { name, base };
    wantedNames.waiting.delete(name);
  }
  return null;
}

/** Asks about the next name. As a call every second, it asks sixty times a minute at most. An aborted question is not recorded. */
export async function askNext(ctx: Context, signal: AbortSignal): Promise<void> {
  const { registry, wantedNames } = ctx;
  if (!registry || wantedNames.waiting.size === 0) return;
  await registry.list.renew(ctx.clock(), signal);
  const next = nextName(ctx, ctx.clock());
  if (!next || signal.aborted) return;
  wantedNames.waiting.delete(next.name);
  wantedNames.current = next.name;
  wantedNames.rest(next.base, ctx.clock(), SERVER_REST_MS);
  const userAgent = `Deed/${ctx.settings.version}`;
  try {
    const reply = await askRegistry(registry.outbound, { ...next, userAgent }, signal);
    if (!signal.aborted) await record(ctx, next, reply);
  } finally {
    wantedNames.current = null;
  }
}

/** Records a reply. After a failure, the previous answer stays with its date. */
async function record(ctx: Context, { name, base }: NextName, reply: RegistryReply) {
  const now = ctx.clock();
  const isFailed = reply.type === "failed";
  const wait = isFailed ? retryAfterMs(reply.retryAfter, now) : 0;
  if (wait > 0) ctx.wantedNames.rest(base, now, wait);
  if (isFailed) ctx.log.debug({ name, base, why: reply.why }, "no RDAP answer");
  const registration = reply.type === "registered" ? JSON.stringify(reply.registration) : null;
  const answer = isFailed ? {} : { answeredAt: now, registration };
  const set = { askedAt: now, nextAt: now + Math.max(REPEAT_AFTER_MS, wait), ...answer };
  const row = { name, ...set };
  const upsert = { target: registrations.name, set };
  await commit(ctx, (tx) => tx.insert(registrations).values(row).onConflictDoUpdate(upsert).run());
}
