import { maskEmail } from "#app/core/accounts/accounts.server.ts";
import type { Context } from "#app/core/context.server.ts";
import { DeedError } from "#app/core/errors.server.ts";
import { iso } from "#app/core/time.ts";
import { claimView, type ScreenQuery } from "#app/features/claim-page/claim-screen.server.ts";
import { noteWaiting } from "#app/features/claims/glances.server.ts";
import { runVerification } from "#app/features/claims/verifications.server.ts";
import { recordUse } from "#app/features/watching/watch-rows.server.ts";
import type { App } from "#app/http/app.server.ts";
import type { Connection } from "#app/http/connection.server.ts";
import { resolveHandoff } from "./handoffs.server.ts";
import type { SharedRecord } from "./resources.ts";

/** Returns everything that a hand-off page shows. Throws handoff_not_found. */
export async function handoffScreen(ctx: Context, slug: string, asked: ScreenQuery = {}) {
  for (;;) {
    const { handoff, claim, end, back, email, unicodeDomain } = await resolveHandoff(ctx, slug);
    const { showAddress, title, requestedFor } = handoff;
    const askedBy = showAddress ? email : maskEmail(email);
    if (end) {
      const name = end.how === "proved" ? { ascii: claim.name, unicode: unicodeDomain } : null;
      // A revoked page says nothing about the claim.
      const about =
        end.how === "revoked"
          ? null
          : { fate: recordUse(ctx, claim.id).fate, askedBy, askedAt: iso(claim.createdAt) };
      return { type: "ended", back, name, about, ...end } as const;
    }
    const view = await claimView(ctx, claim.accountId, claim.id, asked);
    const common = { type: "open", back, askedBy, title, requestedFor, view } as const;
    // A read may have ended the claim after the slug was looked up.
    if (view.claim.state === "pending") return common;
  }
}

export type HandoffScreen = Awaited<ReturnType<typeof handoffScreen>>;

type Back = Awaited<ReturnType<typeof resolveHandoff>>["back"];

const returnSite = ({ settings }: Context, slug: string, back: Back): SharedRecord["back"] =>
  back?.isAllowed ? { host: back.host, url: `${settings.baseUrl}/h/${slug}/back` } : null;

/** Makes the error that says how and when the page ended, and to which site it leads back. */
const endedError = (ctx: Context, slug: string, end: { how: string; at: string; back: Back }) =>
  new DeedError("handoff_ended", {
    extra: { ended: { how: end.how, at: end.at }, back: returnSite(ctx, slug, end.back) },
  });

/** Reads what a page shares. Throws handoff_not_found, and handoff_ended with `ended` and `back` in extra. */
export async function sharedRecord(ctx: Context, slug: string): Promise<SharedRecord> {
  const screen = await handoffScreen(ctx, slug);
  if (screen.type === "ended") throw endedError(ctx, slug, screen);
  const back = returnSite(ctx, slug, screen.back);
  const { title, requestedFor, askedBy, view } = screen;
  const { domain, unicodeDomain, createdAt, panel, expiresAt } = view.claim;
  const { registry: _, ...state } = view.verification;
  const asker = { title, requestedFor, askedBy, askedAt: createdAt };
  const { record } = view;
  return { domain, unicodeDomain, ...asker, record, panel, ...state, expiresAt, back };
}

/** Checks DNS for a visitor, on no budget of the account. Throws handoff_not_found, handoff_ended, rate_limited. */
export async function checkHandoff(app: App, { address, closed }: Connection, slug: string) {
  app.limiter.consume({ proofs: address });
  const { claim, verificationId, end } = await resolveHandoff(app, slug);
  if (end) throw new DeedError("handoff_ended");
  const draw = async () => app.limiter.consume({ runsVerification: verificationId });
  try {
    await runVerification(app, claim.accountId, verificationId, closed, draw);
  } catch (thrown) {
    const isOver = thrown instanceof DeedError && thrown.code === "verification_not_running";
    throw isOver ? new DeedError("handoff_ended") : thrown;
  }
}

/** Notes that somebody waits at the page. Throws handoff_not_found, and handoff_ended as above. */
export async function noteWaitingAtHandoff(ctx: Context, slug: string): Promise<void> {
  const { claim, end, back } = await resolveHandoff(ctx, slug);
  if (end) throw endedError(ctx, slug, { ...end, back });
  await noteWaiting(ctx, claim.accountId, claim.id);
}
