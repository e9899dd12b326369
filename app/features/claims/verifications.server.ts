import type { Diagnosis, ExplainedDiagnosis, Publication } from "@deed/dns/verdict/diagnosis.ts";
import { secondsRemaining } from "@deed/dns/verdict/standing.ts";
import { sentencesFor } from "@deed/dns/words/diagnoses/diagnoses.ts";
import type { RecordLocation } from "@deed/dns/words/providers.ts";
import * as z from "zod";
import { defineEndpoint } from "#app/api/endpoint.server.ts";
import { limitsFor } from "#app/core/accounts/accounts.server.ts";
import { requireKnownTime } from "#app/core/clock/timekeeper.server.ts";
import type { Context } from "#app/core/context.server.ts";
import { DeedError } from "#app/core/errors.server.ts";
import { isoFields, unlessAborted } from "#app/core/time.ts";
import { registryOf } from "#app/features/zones/registry/registrations.server.ts";
import type { App } from "#app/http/app.server.ts";
import type { Db, Tx } from "#db/client.ts";
import { verifications } from "#db/schema.ts";
import { expireOverdueOfAccount } from "./expiry.server.ts";
import { attemptsOf } from "./history.server.ts";
import { rowsOfVerification } from "./outcome.server.ts";
import { Attempt, Verification, type WaitEstimate } from "./resources.ts";
import { forceRead } from "./runs.server.ts";
import type { ClaimRow, ClaimRows, VerificationRow } from "./transition.ts";

export const outstandingColumns = {
  diagnosis: verifications.diagnosis,
  waitReason: verifications.waitReason,
  waitUntil: verifications.waitUntil,
  waitObserved: verifications.waitObserved,
  nextRunAt: verifications.nextRunAt,
  zone: verifications.zone,
  provider: verifications.provider,
};
type ClaimPair = {
  claim: Pick<ClaimRow, "challengeLabel" | "name" | "token">;
  verification: Pick<VerificationRow, keyof typeof outstandingColumns>;
};

export const recordLocation = ({ claim, verification }: ClaimPair): RecordLocation => ({
  label: claim.challengeLabel,
  domain: claim.name,
  token: claim.token,
  zone: verification.zone,
  provider: verification.provider ?? "other",
});

const withSentences = (found: Diagnosis | null, rows: ClaimPair): ExplainedDiagnosis | null =>
  found && { ...found, ...sentencesFor(found, recordLocation(rows)) };

/** Returns a diagnosis for a hand-off, without the name of the account's other domain. */
export function withoutOtherDomains(diagnosis: ExplainedDiagnosis, place: RecordLocation) {
  if (diagnosis.code !== "foreign_token" || diagnosis.observed.domain === undefined)
    return diagnosis;
  const { domain: _, ...observed } = diagnosis.observed;
  const publicDiagnosis = { code: diagnosis.code, awaits: diagnosis.awaits, observed };
  return { ...publicDiagnosis, ...sentencesFor(publicDiagnosis, place) };
}

type WaitDetails = Pick<WaitEstimate, "unasked" | "held"> & Publication;
const waitDetails = (reason: string, { unasked, held, ...observed }: WaitDetails) =>
  reason === "negative_cache" ? { unasked, held } : { observed };

/** Returns a claim's diagnosis or wait as of `now`; both are null once it is proved. An ended claim waits for nothing. */
export function toOutstanding(pair: ClaimPair, now: number) {
  const { diagnosis, waitReason: reason, waitUntil, waitObserved, nextRunAt } = pair.verification;
  const isWaiting = reason !== null && waitUntil !== null;
  const wait = isWaiting && {
    reason,
    secondsRemaining: nextRunAt === null ? 0 : secondsRemaining(waitUntil, now),
    ...(waitObserved !== null && waitDetails(reason, JSON.parse(waitObserved))),
  };
  const found = diagnosis && JSON.parse(diagnosis);
  return { diagnosis: withSentences(found, pair), waitEstimate: wait || null };
}

export function toVerification(handle: Db | Tx, pair: ClaimRows, now: number): Verification {
  const { id, claimId, status, lastOutcome } = pair.verification;
  return {
    ...{ id, claimId, status, lastOutcome },
    method: "dns_txt",
    ...toOutstanding(pair, now),
    registry: registryOf(handle, pair, now),
    ...isoFields(pair.verification, "lastRunAt", "nextRunAt", "deadline", "createdAt"),
  };
}

/** Reads the rows, after expiring the account's overdue claims. Throws verification_not_found. */
async function currentRows(ctx: Context, accountId: string, id: string): Promise<ClaimRows> {
  await expireOverdueOfAccount(ctx, accountId);
  const pair = rowsOfVerification(ctx.db).get({ id });
  if (pair?.verification.accountId !== accountId) throw new DeedError("verification_not_found");
  return pair;
}

/** Reads a verification. Throws verification_not_found. */
export const readVerification = async (ctx: Context, accountId: string, id: string) =>
  toVerification(ctx.db, await currentRows(ctx, accountId, id), ctx.clock());

/** Lists the attempts of a verification, newest first. Throws verification_not_found. */
export async function listAttempts(ctx: Context, accountId: string, verificationId: string) {
  const pair = await currentRows(ctx, accountId, verificationId);
  const reads = attemptsOf(ctx.db, verificationId);
  return reads.map((read) => ({ ...read, diagnosis: withSentences(read.diagnosis, pair) }));
}

/** Checks DNS now. Throws verification_not_found, verification_not_running, unavailable, what `draw` throws, and if aborted. */
export async function runVerification(
  ctx: Context,
  accountId: string,
  id: string,
  signal: AbortSignal,
  draw: (rows: ClaimRows) => Promise<void> = async () => {},
): Promise<Verification> {
  const before = await currentRows(ctx, accountId, id);
  if (before.verification.nextRunAt === null) throw new DeedError("verification_not_running");
  requireKnownTime(ctx);
  signal.throwIfAborted();
  const forcedRead = await unlessAborted(
    forceRead(ctx, before, () => draw(before)),
    signal,
  );
  const rows = await currentRows(ctx, accountId, id);
  if (rows.verification.status !== "proved") {
    if (rows.verification.nextRunAt === null) throw new DeedError("verification_not_running");
    if (!forcedRead) throw new DeedError("unavailable", { retryAfter: 1 });
  }
  return toVerification(ctx.db, rows, ctx.clock());
}

type Run = { claim: Pick<ClaimRow, "accountId" | "reference">; verification: { id: string } };

/** Charges the budgets for one requested check of a claim. Throws rate_limited. */
export async function chargeRuns({ limiter, db }: Pick<App, "limiter" | "db">, run: Run) {
  const { accountId, reference } = run.claim;
  const referenceKey = reference === "" ? {} : { runsReference: `${accountId} ${reference}` };
  const draws = { runsVerification: run.verification.id, ...referenceKey, runsAccount: accountId };
  limiter.consume(draws, limitsFor(db, accountId));
}

const verificationDefaults = { group: "Verifications", session: true } as const;

export const verificationEndpoints = {
  getVerification: defineEndpoint("GET /api/verifications/:id", {
    ...verificationDefaults,
    summary: "Read a verification",
    description:
      "While it is not proved, exactly one of `diagnosis` (something about the record is wrong) and `waitEstimate` (nothing is wrong, but DNS has not caught up) is present.",
    byKey: "domains:read",
    response: { 200: Verification },
    errors: ["verification_not_found"],
    handler: ({ app, caller, params }) => readVerification(app, caller.accountId, params.id),
  }),
  runVerification: defineEndpoint("POST /api/verifications/:id/runs", {
    ...verificationDefaults,
    summary: "Check DNS now",
    description:
      "Answers once DNS has been read, with the proof or the reason why the record is missing. Runs at the same time share one read and count once against the budget; if that read was a scheduled one and found nothing, they wait for another. If the claim ends meanwhile without a proof, the answer is 409 `verification_not_running`.",
    byKey: "domains:write",
    response: { 200: Verification },
    errors: ["verification_not_found", "verification_not_running", "rate_limited"],
    handler: ({ app, caller, params, connection }) =>
      runVerification(app, caller.accountId, params.id, connection.closed, (rows) =>
        chargeRuns(app, rows),
      ),
  }),
  browseAttempts: defineEndpoint("GET /api/verifications/:id/attempts", {
    ...verificationDefaults,
    summary: "List the checks of a verification, newest first",
    byKey: "domains:read",
    response: { 200: z.strictObject({ attempts: z.array(Attempt) }) },
    errors: ["verification_not_found"],
    handler: async ({ app, caller, params }) => ({
      attempts: await listAttempts(app, caller.accountId, params.id),
    }),
  }),
};
