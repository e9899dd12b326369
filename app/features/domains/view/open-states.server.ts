import { DIAGNOSES } from "@deed/dns/words/diagnoses/diagnoses.ts";
import type { Context } from "#app/core/context.server.ts";
import { type OpenState, openStateOf } from "#app/features/claims/open-state.server.ts";
import { listedWithMistake, toListedDomain } from "../domain-rows.server.ts";
import type { ListedDomain } from "../resources.ts";

/** An open claim in a list: its state, and in a few words what is wrong if it needs somebody. */
export type OpenClaim = { state: OpenState; cause: string | null };

export type ShownDomain = Omit<ListedDomain, "diagnosis" | "waitEstimate">;

export const shownDomain = (listed: ListedDomain): ShownDomain => {
  const { diagnosis: _, waitEstimate: __, ...domain } = listed;
  return domain;
};

export function openStates(ctx: Context, domains: readonly ListedDomain[]) {
  const open: Record<string, OpenClaim> = {};
  for (const domain of domains) {
    const { diagnosis, waitEstimate, verificationId: id, claimStartedAt: createdAt } = domain;
    if (domain.status !== "pending" || id === null || createdAt === null) continue;
    const state = openStateOf(ctx, { id, waitEstimate, createdAt, diagnosis });
    const cause = state === "needs_you" && diagnosis ? DIAGNOSES[diagnosis.code].short : null;
    open[id] = { state, cause };
  }
  return open;
}

/** Most domains with a mistake that `needsYou` looks at: as many as an account has open claims, unless configured. */
const MAX_LOOKED_AT = 200;

/** Those whose claim ends soonest first; claims in their first hour are the last looked at. */
export function needsYou(ctx: Context, accountId: string) {
  const rows = listedWithMistake(ctx.db).all({ accountId, limit: MAX_LOOKED_AT });
  const now = ctx.clock();
  const listed = rows.map((row) => toListedDomain(row, now));
  const states = openStates(ctx, listed);
  const domains = listed.filter(
    ({ verificationId: id }) => states[id ?? ""]?.state === "needs_you",
  );
  return { domains, more: rows.length === MAX_LOOKED_AT };
}
