import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import type { Responses, TypedEndpoint } from "#app/api/endpoint.server.ts";
import { accountAction, accountLoader } from "#app/api/page.server.ts";
import { readAccount } from "#app/core/accounts/accounts.server.ts";
import { DeedError } from "#app/core/errors.server.ts";
import { cancel } from "#app/features/claims/api.server.ts";
import { readClaim } from "#app/features/claims/claims.server.ts";
import { run } from "#app/features/claims/verifications.server.ts";
import {
  type ClaimActionResult,
  NOTHING_SENT,
  type TypedHandoff,
} from "#app/features/claims/view/action-result.ts";
import { ClaimPage } from "#app/features/claims/view/claim-page.tsx";
import { claimScreen } from "#app/features/claims/view/claim-screen.server.ts";
import { refreshAfter } from "#app/features/claims/view/open-card.tsx";
import { stateLabel } from "#app/features/claims/view/state-label.ts";
import { useVisible } from "#app/features/claims/view/use-visible.ts";
import { WWW_REMOVED } from "#app/features/domains/several-lines.ts";
import { createHandoffLink, revokeHandoffLink } from "#app/features/handoffs/api.server.ts";
import { handoffOfClaim } from "#app/features/handoffs/handoffs.server.ts";
import { HandoffFold } from "#app/features/handoffs/view/handoff-form.tsx";
import { createProofLink } from "#app/features/proofs/api.server.ts";
import { startWatch, stopWatch } from "#app/features/watching/api.server.ts";
import { getApp } from "#app/http/app.server.ts";
import { redirectToSelf } from "#app/http/body.server.ts";
import { tooSoonOf } from "#app/http/page-errors.server.ts";
import { SOON_MS, useLastAnswer, useTimedRevalidation } from "#app/ui/background-revalidation.ts";
import type { PageHandle, PageHead } from "#app/ui/page.tsx";

export const handle: PageHandle = { live: true };

export const loader = (args: LoaderFunctionArgs) =>
  accountLoader(args, async ({ app, id, query, session: { accountId, personId } }) => {
    const screen = await claimScreen(app, accountId, id, query.get("read"));
    const label = stateLabel(screen.claim.state, screen.open);
    const reloads = query.has("live") && screen.open ? refreshAfter(screen) : null;
    const head: PageHead = { icon: label.tone, ...(reloads && { refreshSeconds: reloads }) };
    const isWwwRemoved = query.has(WWW_REMOVED);
    const isMailed = readAccount(app, personId)?.person.mailEnabled ?? false;
    const handoff = handoffOfClaim(app, accountId, screen.claim);
    return { screen, handoff, label, head, reloads, isMailed, isWwwRemoved };
  });

const typedHandoff = (form: URLSearchParams): TypedHandoff => ({
  title: form.get("title")?.trim() ?? "",
  requestedFor: form.get("requestedFor")?.trim() ?? "",
  returnUrl: form.get("returnUrl")?.trim() ?? "",
});

export const action = (args: ActionFunctionArgs) =>
  accountAction(
    args,
    async ({ app, id, form, call, session }) => {
      const intent = form.get("intent") ?? "";
      if (intent === "check") {
        const { verificationId } = await readClaim(app, session.accountId, id);
        await call(run, { params: { id: verificationId } });
      } else if (intent === "hand-over") {
        const given = Object.entries(typedHandoff(form)).filter(([, text]) => text !== "");
        const body = { showAddress: !form.has("hideAddress"), ...Object.fromEntries(given) };
        await call(createHandoffLink, { body });
      } else {
        const ofClaim = new Map<string, TypedEndpoint<Responses>>([
          ["cancel", cancel],
          ["take-back", revokeHandoffLink],
          ["watch", startWatch],
          ["unwatch", stopWatch],
          ["publish", createProofLink],
        ]);
        const endpoint = ofClaim.get(intent);
        if (!endpoint) throw new DeedError("invalid_request");
        await call(endpoint);
      }
      return redirectToSelf(`/claims/${id}`);
    },
    (refusal, form): ClaimActionResult => {
      const intent = form?.get("intent");
      const tooSoon = intent === "check" ? tooSoonOf(refusal, getApp().clock()) : null;
      const shared = form && intent === "hand-over" ? typedHandoff(form) : null;
      const result = tooSoon ? { tooSoon } : { problem: refusal.problem, shared };
      return { ...NOTHING_SENT, ...result };
    },
  );

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: data ? `${data.label.word} · ${data.screen.claim.domain} · Deed` : "Deed" },
];

export default function ClaimRoute() {
  const { screen, handoff, ...page } = useLoaderData<typeof loader>();
  useVisible(screen.open ? screen.claim.id : null);
  useTimedRevalidation(screen.open && screen.isAskingRegistry ? SOON_MS : null);
  const result = { ...NOTHING_SENT, ...useLastAnswer<typeof action>() };
  return (
    <ClaimPage
      {...page}
      screen={screen}
      result={result}
      sharing={<HandoffFold handoff={handoff} screen={screen} result={result} />}
    />
  );
}
