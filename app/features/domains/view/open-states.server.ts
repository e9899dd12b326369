import { inArray } from "drizzle-orm";
import type { Context } from "#app/core/context.server.ts";
import { isoOrNull } from "#app/core/time.ts";
import { expireOverdueOfAccount } from "#app/features/claims/expiry.server.ts";
import { causeOf, type OpenState, openStateOf } from "#app/features/claims/open-state.server.ts";
import { type TroubleWords, troubleOf } from "#app/features/watching/trouble.ts";
import { domains, verifications } from "#db/schema.ts";
import { listedInTrouble, listedWithMistake, toListedDomain } from "../domain-rows.server.ts";
import type { ListedDomain } from "../resources.ts";

/** A claim in a list: its state while it is open and in a few words what is wrong if it needs somebody, or what speaks against its proof. */
export type ClaimNow = {
  state: OpenState | null;
  cause: string | null;
  trouble: TroubleWords | null;
};

export type ShownDomain = Omit<ListedDomain, "diagnosis" | "waitEstimate">;

/** That of the claim in play, not of an older proof. */
const ownWatch = ({ watch, claimId }: ListedDomain) => (watch?.claimId === claimId ? watch : null);

export const shownDomain = (listed: ListedDomain): ShownDomain => {
  const { diagnosis: _, waitEstimate: __, ...domain } = listed;
  return { ...domain, watch: ownWatch(listed) };
};

function lossesOf({ db }: Context, listed: readonly ListedDomain[]) {
  const ids = listed.flatMap(({ id, holds, status }) => (status === "proved" && !holds ? id : []));
  const { id, loss } = domains;
  const rows = db.select({ id, loss }).from(domains).where(inArray(id, ids)).all();
  return new Map(rows.map(({ id, loss }) => [id, loss]));
}

export function openStates(ctx: Context, listed: readonly ListedDomain[]) {
  const open: Record<string, ClaimNow> = {};
  const losses = lossesOf(ctx, listed);
  for (const domain of listed) {
    const { name, status, diagnosis, verificationId: id, claimStartedAt: createdAt } = domain;
    if (id === null || createdAt === null) continue;
    const state = status === "pending" ? openStateOf(ctx, { ...domain, id, createdAt }) : null;
    const cause = state === "needs_you" && diagnosis ? causeOf(diagnosis) : null;
    const seen = { domain: name, loss: losses.get(domain.id) ?? null, watch: ownWatch(domain) };
    const trouble = status === "proved" ? troubleOf(seen, ctx.clock()) : null;
    open[id] = { state, cause, trouble };
  }
  return open;
}

/** When each was last checked: by its claim's checks or by a watch. */
export function lastChecks(ctx: Context, listed: readonly ListedDomain[]) {
  const ids = listed.flatMap(({ verificationId }) => verificationId ?? []);
  const { id, lastRunAt } = verifications;
  const rows = ctx.db.select({ id, lastRunAt }).from(verifications).where(inArray(id, ids)).all();
  const runs = new Map(rows.map((row) => [row.id, isoOrNull(row.lastRunAt)]));
  return Object.fromEntries(
    listed.map(({ id, verificationId, watch }) => [
      id,
      [watch?.checkedAt ?? "", runs.get(verificationId ?? "") ?? ""].sort()[1] || null,
    ]),
  );
}

/** Most domains that `actionNeeded` looks at of each kind: as many as an account has open claims, unless configured. */
const MAX_LOOKED_AT = 200;

/** Proofs in trouble, then open claims, those that end soonest first; claims in their first hour are the last looked at. */
export async function actionNeeded(ctx: Context, accountId: string) {
  await expireOverdueOfAccount(ctx, accountId);
  const now = ctx.clock();
  const of = [listedInTrouble, listedWithMistake].map((rows) =>
    rows(ctx.db).all({ accountId, limit: MAX_LOOKED_AT + 1 }),
  );
  const listed = of
    .flatMap((rows) => rows.slice(0, MAX_LOOKED_AT))
    .map((row) => toListedDomain(row, now));
  const states = openStates(ctx, listed);
  const needing = listed.filter(({ verificationId: id }) => {
    const { state, trouble } = states[id ?? ""] ?? {};
    return state === "needs_you" || trouble?.tone === "needs";
  });
  return { domains: needing, more: of.some(({ length }) => length > MAX_LOOKED_AT) };
}
