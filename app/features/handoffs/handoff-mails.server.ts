import { eq } from "drizzle-orm";
import type { Person } from "#app/core/accounts/accounts.server.ts";
import { commit } from "#app/core/commit.server.ts";
import type { Context } from "#app/core/context.server.ts";
import { DeedError, orThrow } from "#app/core/errors.server.ts";
import { newSlug } from "#app/core/ids.server.ts";
import { sendRequestedMail } from "#app/core/mail/mail.server.ts";
import { mailboxOf } from "#app/core/names/address.ts";
import { DAY } from "#app/core/time.ts";
import { link, renderMail } from "#app/features/notices/mail-texts.ts";
import { addressIn, consumeMailBudgets } from "#app/features/sign-in/magic-link.server.ts";
import { recordUse } from "#app/features/watching/watch-rows.server.ts";
import type { App } from "#app/http/app.server.ts";
import { hashSecret } from "#app/http/caller/cookies.server.ts";
import { connectionOf } from "#app/http/connection.server.ts";
import { handoffMailboxes as mailboxes } from "#db/schema.ts";
import { readClaim } from "../claims/claims.server.ts";
import { createHandoff, liveOfClaim } from "./handoffs.server.ts";

/** Returns the slug that stops these mails; null if the mailbox stopped them or got one in the last day. */
export const reserveMailbox = (ctx: Context, address: string): Promise<string | null> =>
  commit(ctx, (tx, _, now) => {
    const mailboxHash = hashSecret(mailboxOf(address));
    const mailbox = tx.select().from(mailboxes).where(eq(mailboxes.mailboxHash, mailboxHash)).get();
    if (mailbox && (mailbox.stoppedAt !== null || Math.abs(now - mailbox.mailedAt) < DAY))
      return null;
    const mailboxRow = { id: mailbox?.id ?? newSlug(), mailboxHash, mailedAt: now };
    const upsert = { target: mailboxes.id, set: mailboxRow };
    tx.insert(mailboxes).values(mailboxRow).onConflictDoUpdate(upsert).run();
    return mailboxRow.id;
  });

type HandoffFacts = Record<"domain" | "fate" | "asker" | "baseUrl" | "url" | "stopUrl", string>;

/** Writes the mail that asks a domain's DNS manager for the record, and says how to stop such mails (RFC 8058). */
export const handoffMail = ({ domain, fate, asker, baseUrl, url, stopUrl }: HandoffFacts) => ({
  ...renderMail(
    `A TXT record for ${domain}`,
    [
      `${asker} asks you to add a TXT record to the DNS of ${domain}. The record proves to others that this person controls the domain. It does not affect the website or email.`,
      link("See the record", url),
      `Only add it if you recognize this request. ${fate}`,
    ],
    [
      `You received this email because ${asker} typed your address at ${baseUrl}. Deed sends you at most one of these a day.`,
      link("Stop all these emails to your address", stopUrl),
    ],
  ),
  headers: {
    "List-Unsubscribe": `<${stopUrl}>`,
    "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
  },
});

/**
 * Mails the link of an open claim's page, and makes the page if needed. Hides whether the address gets a mail now.
 * Throws invalid_request, claim_not_found, claim_ended, rate_limited.
 */
export async function mailHandoff(
  app: App,
  request: Request,
  { accountId, email: asker }: Person,
  claimId: string,
  typed: string,
): Promise<void> {
  const to = addressIn(typed);
  const { domain, state } = await readClaim(app, accountId, claimId);
  if (state !== "pending") throw new DeedError("claim_ended");
  await consumeMailBudgets(app, request, connectionOf(request).address, to);
  app.limiter.consume({ handoffMails: accountId });
  const fields = liveOfClaim(app.db, claimId) ? {} : { showAddress: true };
  const { url } = await createHandoff(app, accountId, claimId, fields);
  const slug = await reserveMailbox(app, to);
  if (slug === null) return;
  const { baseUrl } = app.settings;
  const { fate } = recordUse(app, claimId);
  const mail = handoffMail({ domain, fate, asker, baseUrl, url, stopUrl: `${baseUrl}/m/${slug}` });
  void sendRequestedMail(app, { to, ...mail });
}

/** Whether a mailbox stopped these mails. Throws handoff_not_found if no mailbox has the slug, as `stopMails` does. */
export function isStopped({ db }: Context, slug: string): boolean {
  const row = db.select().from(mailboxes).where(eq(mailboxes.id, slug)).get();
  return orThrow(row, "handoff_not_found").stoppedAt !== null;
}

export async function stopMails(ctx: Context, slug: string): Promise<void> {
  await commit(ctx, (tx, _, now) => {
    const stop = tx.update(mailboxes).set({ stoppedAt: now }).where(eq(mailboxes.id, slug));
    if (stop.run().changes === 0) throw new DeedError("handoff_not_found");
  });
}
