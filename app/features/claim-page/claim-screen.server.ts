import { providerOf } from "@deed/dns/names.ts";
import { escapeUntrusted } from "@deed/dns/verdict/escape-untrusted.ts";
import type { EvidenceSummary } from "@deed/dns/verdict/evidence.ts";
import type { Evidence } from "@deed/dns/verdict/observation.ts";
import { explain, headlineOf } from "@deed/dns/words/diagnoses/diagnoses.ts";
import {
  noListSentence,
  shutPortSentence,
  waitSentence,
} from "@deed/dns/words/diagnoses/publication.ts";
import { eq } from "drizzle-orm";
import { maskedAddress } from "#app/core/accounts/accounts.server.ts";
import { isTimeKnown } from "#app/core/clock/timekeeper.server.ts";
import type { Context } from "#app/core/context.server.ts";
import { normaliseName } from "#app/core/names/domain-name.ts";
import { claimPath } from "#app/core/names/prove-path.ts";
import { iso } from "#app/core/time.ts";
import { listProofLinks } from "#app/features/proofs/proofs.server.ts";
import { doubtOf, receiptForHolder } from "#app/features/proofs/receipts.server.ts";
import { recordUse } from "#app/features/watching/watch-rows.server.ts";
import { recordPath, summaryPath, zonePath } from "#app/features/zones/record-path.ts";
import { isAskingRegistry } from "#app/features/zones/registry/registrations.server.ts";
import { findZoneOf } from "#app/features/zones/zones.server.ts";
import { attemptEvidence, attempts } from "#db/schema.ts";
import { getClaim, getDomain, recordOf } from "../claims/claim-rows.server.ts";
import { readClaim } from "../claims/claims.server.ts";
import { attemptsOf, evidenceOfAttempt } from "../claims/history.server.ts";
import { isPlainAbsence, openStateOf } from "../claims/open-state.server.ts";
import type { Verification } from "../claims/resources.ts";
import {
  readVerification,
  recordLocation,
  withoutOtherDomains,
} from "../claims/verifications.server.ts";
import { groupReads, type ReadEntry } from "./claim-screen-reads.ts";
import { domainEvents } from "./domain-events.server.ts";
import { providerLabels, recordSnippets } from "./record-texts.ts";
import { checkEntries, timelineOf } from "./timeline.ts";

export type ClaimScreen = Awaited<ReturnType<typeof claimScreen>>;
/** What the person who will create the record may see: this one name, and nothing else of the account. */
export type ClaimView = Awaited<ReturnType<typeof claimView>>;

function shownRead(ctx: Context, reads: ReadEntry[], asked: string | null) {
  const read = reads.find(({ id }) => id === asked) ?? reads[0];
  if (!read) return null;
  const row = ctx.db
    .select({ evidence: attemptEvidence.evidence, at: attemptEvidence.at, sameAs: attempts.sameAs })
    .from(attempts)
    .innerJoin(attemptEvidence, eq(attemptEvidence.attemptId, evidenceOfAttempt))
    .where(eq(attempts.id, read.id))
    .get();
  const evidence = row ? (JSON.parse(row.evidence) as Evidence | EvidenceSummary) : null;
  return {
    id: read.id,
    at: read.at,
    isNewest: read === reads[0],
    evidence,
    /** The time of the earlier read whose evidence this read shares; null if it has its own. */
    evidenceAt: row?.sameAs ? iso(row.at) : null,
    /** Why all resolvers had to return the record; null if a majority was enough. */
    noList: evidence && "exchanges" in evidence ? noListSentence(evidence) : null,
  };
}

/** Returns the seconds until a browser without script reloads an open claim: five after its next read begins. */
function refreshAfter({ nextRunAt }: Verification, nowMs: number): number {
  const untilNextMs = nextRunAt === null ? 0 : Date.parse(nextRunAt) - nowMs;
  return Math.min(300, Math.max(15, Math.ceil(untilNextMs / 1000) + 5));
}

const MAX_WAIT_MS = 1_500;

/** `read` is the read whose evidence to show, by default the newest. `isLive` is for the page that reloads itself. */
export type ScreenQuery = { read?: string | null; isLive?: boolean };

async function loadClaim(
  ctx: Context,
  accountId: string,
  claimId: string,
  { read = null, isLive = false }: ScreenQuery,
  isShared: boolean,
) {
  const claim = await readClaim(ctx, accountId, claimId);
  const verification = await readVerification(ctx, accountId, claim.verificationId);
  const { waitEstimate } = verification;
  const row = getClaim(ctx.db, accountId, claimId);
  const found = recordLocation(row);
  const isUnread = found.zone === null && claim.state === "pending";
  // The shared cache is asked, so that even the first page uses the panel's words.
  const known = isUnread
    ? await findZoneOf(ctx, accountId, claim.domain, AbortSignal.timeout(MAX_WAIT_MS))
    : null;
  const use = recordUse(ctx, claimId);
  const { zone, provider } = known ?? found;
  const isMoved = use.watch?.state === "moved";
  const place = { ...found, zone, provider: isMoved ? providerOf(use.movedTo) : provider };
  const original = verification.diagnosis;
  const diagnosis = original && isShared ? withoutOtherDomains(original, place) : original;
  const record = recordOf(row.claim);
  const reads = attemptsOf(ctx.db, verification.id);
  const open = claim.state === "pending" ? openStateOf(ctx, verification) : null;
  const groups = groupReads(reads, open);
  const shown = shownRead(ctx, reads, read);
  const nameservers = shown?.evidence?.servers.map(({ host }) => escapeUntrusted(host)) ?? [];
  const newest = shown?.id === reads[0]?.id ? shown : shownRead(ctx, reads, null);
  const { witnesses } = ctx.settings;
  const seen = newest?.evidence ?? null;
  const fullNewest = seen && "exchanges" in seen ? seen : null;
  const pathNow = () => {
    if (!reads[0]) return known ? zonePath(known, witnesses) : [];
    if (seen === null) return [];
    if ("exchanges" in seen)
      return recordPath(seen, reads[0].diagnosis, witnesses, claim.state !== "pending");
    return summaryPath(seen);
  };
  return {
    claim,
    verification: { ...verification, diagnosis },
    /** The state that the page shows for an open claim; null once it has ended. */
    open,
    /** Seconds until the page without text fields reloads; null on the page with them. */
    reloads: isLive && claim.state === "pending" ? refreshAfter(verification, ctx.clock()) : null,
    recordUse: use,
    installation: ctx.settings.baseUrl,
    record,
    /** The time when all this was read, at which countdowns start. */
    now: iso(ctx.clock()),
    /** False while reads wait for another source to confirm this service's clock. */
    isTimeKnown: isTimeKnown(ctx),
    isPublicSuffix: normaliseName(claim.domain, place.label).isPublicSuffix,
    labels: providerLabels(place),
    headline: diagnosis && headlineOf(diagnosis),
    /** Whether the last read found only that the record is missing: its cause adds little to the headline. */
    isPlain:
      diagnosis &&
      isPlainAbsence(diagnosis) &&
      !verification.registry?.cause &&
      !("unchanged" in diagnosis.observed && diagnosis.observed.unchanged),
    pastes: diagnosis ? explain(diagnosis, place).pastes : [],
    /** What the claim waits for (nameservers or more resolvers); null without a wait, or if no read has shown it. */
    awaited: waitEstimate && waitSentence(waitEstimate),
    shut: fullNewest && shutPortSentence(fullNewest),
    isAskingRegistry: isAskingRegistry(ctx, claim.domain),
    /** The path to the record; empty if neither a check nor a read of the zone has found it. */
    path: pathNow(),
    checks: reads.length,
    isReached: reads[0]?.outcome !== "unresolvable",
    groups,
    shown,
    snippets: recordSnippets(record, place.zone, nameservers, place.provider),
  };
}

/** Returns everything that the page of a claim shows. Throws claim_not_found. */
export async function claimScreen(ctx: Context, accountId: string, id: string, asked: ScreenQuery) {
  const { groups, ...screen } = await loadClaim(ctx, accountId, id, asked, false);
  const isProved = screen.claim.state === "proved";
  const { domainId } = screen.claim;
  const { archived, claimId: current } = getDomain(ctx.db, accountId, domainId);
  const { events, hasMore } = domainEvents(ctx.db, {
    domainId,
    claimId: id === current ? null : id,
  });
  const proof = events.find(({ kind, claimId }) => kind === "proved" && claimId !== id);
  const links = isProved ? listProofLinks(ctx, accountId, id) : [];
  const live = links.find(({ standing }) => standing === "live") ?? null;
  return {
    ...screen,
    timeline: timelineOf(events, groups, { domainId, claimId: id }),
    hasMore,
    /** The newest proof by another claim. */
    otherProof: proof ? { at: iso(proof.at), path: claimPath(domainId, proof.claimId) } : null,
    archived,
    live,
    /** Whether the link's page says that the proof is not confirmed. */
    isDoubted: live !== null && (await doubtOf(ctx, live.slug)) !== null,
    watchProof: getClaim(ctx.db, accountId, id).claim.watchProof,
    /** The proof's receipt; null before the proof, and for proofs older than receipts. */
    receipt: isProved ? receiptForHolder(ctx, id) : null,
    heldBy: maskedAddress(ctx, accountId),
  };
}

/** Returns the part of the page that may be seen without the account. Throws claim_not_found. */
export async function claimView(ctx: Context, accountId: string, id: string, asked: ScreenQuery) {
  const loaded = await loadClaim(ctx, accountId, id, asked, true);
  const { claim, verification, recordUse: use, groups, ...rest } = loaded;
  const { domain, unicodeDomain, state, createdAt, expiresAt, panel } = claim;
  const { status, diagnosis, waitEstimate, registry, lastRunAt, nextRunAt } = verification;
  return {
    ...rest,
    timeline: checkEntries(groups, "?"),
    recordUse: { fate: use.fate },
    claim: { domain, unicodeDomain, state, createdAt, expiresAt, panel },
    verification: { status, diagnosis, waitEstimate, registry, lastRunAt, nextRunAt },
  };
}
