import type { Diagnosis } from "@deed/dns/verdict/diagnosis.ts";
import { DIAGNOSES } from "@deed/dns/words/diagnoses/diagnoses.ts";
import { and, eq, sql } from "drizzle-orm";
import type { Context } from "#app/core/context.server.ts";
import type { ListedDomain } from "#app/core/resources.ts";
import { iso } from "#app/core/time.ts";
import { type OpenState, openStateOf } from "#app/features/claims/open-state.server.ts";
import { listedWithMistake, toListedDomain } from "#app/features/domains/domain-rows.server.ts";
import { prepared } from "#db/queries.ts";
import { verifications } from "#db/schema.ts";

const verificationOf = prepared((db) =>
  db
    .select({
      status: verifications.status,
      diagnosis: verifications.diagnosis,
      createdAt: verifications.createdAt,
    })
    .from(verifications)
    .where(
      and(
        eq(verifications.id, sql.placeholder("id")),
        eq(verifications.accountId, sql.placeholder("account")),
      ),
    )
    .prepare(),
);

/** An open claim in a list: its state, and in a few words what is wrong if it needs somebody. */
export type OpenClaim = { state: OpenState; cause: string | null };

/** A domain as a page lists it: without its sentences, which would double the page. */
export type ShownDomain = Omit<ListedDomain, "diagnosis" | "waitEstimate">;

export const shownDomain = ({
  diagnosis: _,
  waitEstimate: __,
  ...domain
}: ListedDomain): ShownDomain => domain;

/** How each open claim on a page of domains is shown, by verification id. */
export function openStates(
  ctx: Context,
  accountId: string,
  domains: readonly ShownDomain[],
): Record<string, OpenClaim> {
  const open: Record<string, OpenClaim> = {};
  for (const { status, verificationId: id } of domains) {
    if (status !== "pending" || id === null) continue;
    const row = verificationOf(ctx.db).get({ id, account: accountId });
    if (!row) continue;
    const diagnosis: Diagnosis | null = row.diagnosis === null ? null : JSON.parse(row.diagnosis);
    const state = openStateOf(ctx, { ...row, id, createdAt: iso(row.createdAt), diagnosis });
    const cause = state === "needs_you" && diagnosis ? DIAGNOSES[diagnosis.code].short : null;
    open[id] = { state, cause };
  }
  return open;
}

/** Most domains with a mistake that `needsYou` looks at: as many as an account has open claims, unless configured. */
const MAX_LOOKED_AT = 200;

/**
 * The account's domains that need somebody, those whose claim ends soonest first, and whether there may be more. Claims
 * in their first hour are the last looked at.
 */
export function needsYou(
  ctx: Context,
  accountId: string,
): { domains: ShownDomain[]; more: boolean } {
  const rows = listedWithMistake(ctx.db).all({ accountId, limit: MAX_LOOKED_AT });
  const now = ctx.clock();
  const listed = rows.map((row) => shownDomain(toListedDomain(row, now)));
  const states = openStates(ctx, accountId, listed);
  const domains = listed.filter(
    ({ verificationId }) => states[verificationId ?? ""]?.state === "needs_you",
  );
  return { domains, more: rows.length === MAX_LOOKED_AT };
}
