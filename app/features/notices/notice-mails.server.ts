import { setTimeout as sleep } from "node:timers/promises";
import { panelHost, panelValue } from "@deed/dns/words/providers.ts";
import { and, asc, count, eq, gt, lte, sql } from "drizzle-orm";
import { maskEmail } from "#app/core/accounts/accounts.server.ts";
import { commit } from "#app/core/commit.server.ts";
import type { Context } from "#app/core/context.server.ts";
import { recordMailFailure } from "#app/core/mail/mail.server.ts";
import { claimPath } from "#app/core/names/prove-path.ts";
import { DAY } from "#app/core/time.ts";
import { registryOf } from "#app/features/zones/registry/registrations.server.ts";
import { prepared } from "#db/client.ts";
import {
  accounts,
  claims,
  domains,
  noticeMails,
  notices,
  people,
  verifications,
} from "#db/schema.ts";
import { recordOf } from "../claims/claim-rows.server.ts";
import { newestOtherProof } from "../claims/claims.server.ts";
import { recordLocation, toOutstanding } from "../claims/verifications.server.ts";
import { toWatch } from "../claims/watch.ts";
import { recordUse, watchedClaim } from "../watching/watch-rows.server.ts";
import { isTrouble } from "../watching/watch-states.ts";
import { type NoticeFacts, noticeMail } from "./notice-letters.ts";

/** The most notice mails per person in 24 hours; further notices only appear on the page. */
export const MAILS_A_DAY = 20;
/** Delays after each failed try; after the last one the mail is given up. */
export const RETRY_AFTER_MS = [60_000, 300_000, 1_800_000, 7_200_000, 21_600_000] as const;
const BATCH = 20;
const SEND_TIMEOUT_MS = 30_000;

const dueMails = prepared((db) =>
  db
    .select({
      mail: noticeMails,
      notice: notices,
      claim: claims,
      verification: verifications,
      unicodeName: domains.unicodeName,
      archived: domains.archived,
      email: people.email,
      mailEnabled: people.mailEnabled,
      disabledAt: accounts.disabledAt,
    })
    .from(noticeMails)
    .innerJoin(notices, eq(notices.id, noticeMails.noticeId))
    .innerJoin(people, eq(people.id, noticeMails.personId))
    .innerJoin(claims, eq(claims.id, notices.claimId))
    .innerJoin(verifications, eq(verifications.claimId, claims.id))
    .innerJoin(domains, eq(domains.id, notices.domainId))
    .innerJoin(accounts, eq(accounts.id, notices.accountId))
    .where(lte(noticeMails.dueAt, sql.placeholder("now")))
    .orderBy(asc(noticeMails.dueAt))
    .limit(sql.placeholder("limit")),
);

type DueMail = NonNullable<ReturnType<ReturnType<typeof dueMails>["get"]>>;

/** Returns the watch for a mail; null if it ended, the record is back, or the registration was renewed. */
function watchOfRow(ctx: Context, { claim, notice }: DueMail): NoticeFacts["watch"] {
  const watch = isTrouble(notice.kind) && watchedClaim(ctx.db, claim.id);
  if (!watch) return null;
  const isExpiry = notice.kind === "registration_expiring";
  if (isExpiry ? watch.expiryTold === null : toWatch(watch).state === "published") return null;
  const { slug, ...seen } = watch;
  return { ...seen, stopUrl: `${ctx.settings.baseUrl}/w/${slug}` };
}

function shouldSend(ctx: Context, row: DueMail): boolean {
  const { mail, notice, claim, archived, mailEnabled, disabledAt } = row;
  if (!mailEnabled || archived || disabledAt !== null) return false;
  if (isTrouble(notice.kind) && watchOfRow(ctx, row) === null) return false;
  const isAboutOpenClaim = notice.kind === "nudge" || notice.kind === "expiring";
  if (isAboutOpenClaim && claim.state !== "pending") return false;
  const isToPerson = eq(noticeMails.personId, mail.personId);
  const isToday = and(isToPerson, gt(noticeMails.mailedAt, ctx.clock() - DAY));
  const today = ctx.db.select({ n: count() }).from(noticeMails).where(isToday).get();
  return (today?.n ?? 0) < MAILS_A_DAY;
}

function noticeFacts(ctx: Context, row: DueMail): NoticeFacts {
  const { claim, verification, unicodeName } = row;
  const { baseUrl } = ctx.settings;
  const now = ctx.clock();
  const pair = { claim, verification };
  const watch = watchOfRow(ctx, row);
  const { diagnosis, waitEstimate } = toOutstanding(pair, now);
  const place = recordLocation(pair);
  const record = { ...recordOf(claim), host: panelHost(place), value: panelValue(place) };
  const { fate, trouble } = recordUse(ctx, claim.id);
  const other = newestOtherProof(ctx.db).get(claim);
  return {
    domain: claim.name,
    unicodeDomain: unicodeName,
    reference: claim.reference || null,
    claimUrl: baseUrl + claimPath(claim.domainId, claim.id),
    settingsUrl: `${baseUrl}/account`,
    claimedAt: claim.createdAt,
    expiresAt: claim.expiresAt,
    provedAt: claim.state === "proved" ? claim.endedAt : null,
    record: claim.state === "pending" || watch ? record : null,
    outstanding: diagnosis && { ...diagnosis, registry: registryOf(ctx.db, pair, now) },
    other: other ? { maskedEmail: maskEmail(other.email), provedAt: other.provedAt } : null,
    ...{ wait: waitEstimate, fate, trouble, watch, now },
  };
}

const setMail = (ctx: Context, mail: DueMail["mail"], set: Partial<DueMail["mail"]>) =>
  commit(ctx, (tx) => {
    const isToPerson = eq(noticeMails.personId, mail.personId);
    const isThisMail = and(eq(noticeMails.noticeId, mail.noticeId), isToPerson);
    tx.update(noticeMails).set(set).where(isThisMail).run();
  });

async function deliver(ctx: Context, row: DueMail): Promise<void> {
  const mail = noticeMail(row.notice.kind, noticeFacts(ctx, row));
  const timeout = sleep(SEND_TIMEOUT_MS, "late", { ref: false });
  if ((await Promise.race([ctx.mailer.send({ to: row.email, ...mail }), timeout])) === "late")
    throw new Error("the mail server did not answer");
}

/** Sends a mail, rescheduled first: a crash delays the retry, and a mail that the server accepted is never sent twice. */
async function sendNoticeMail(ctx: Context, row: DueMail): Promise<void> {
  const { mail } = row;
  const { id, kind } = row.notice;
  if (!shouldSend(ctx, row)) return setMail(ctx, mail, { dueAt: null });
  const wait = RETRY_AFTER_MS[mail.tries];
  const tries = mail.tries + 1;
  await setMail(ctx, mail, { tries, dueAt: wait === undefined ? null : ctx.clock() + wait });
  try {
    await deliver(ctx, row);
  } catch (error) {
    await recordMailFailure(ctx, row.email, error);
    return ctx.log.warn({ err: error, noticeId: id, kind, tries }, "notice mail could not be sent");
  }
  await setMail(ctx, mail, { dueAt: null, mailedAt: ctx.clock() });
}

/** Sends the due notice mails one by one until `signal` aborts. Returns true if there may be more. */
export async function sendDueMails(ctx: Context, signal: AbortSignal): Promise<boolean> {
  const rows = dueMails(ctx.db).all({ now: ctx.clock(), limit: BATCH });
  for (const row of rows) {
    if (signal.aborted) return true;
    await sendNoticeMail(ctx, row);
  }
  return rows.length === BATCH;
}
