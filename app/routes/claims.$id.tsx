import {
  type ActionFunctionArgs,
  json,
  type LoaderFunctionArgs,
  type MetaFunction,
} from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { callEndpoint } from "#app/api/dispatch.server.ts";
import type { Responses } from "#app/api/endpoint.server.ts";
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
import { refreshAfter } from "#app/features/claims/view/reloading.tsx";
import { stateLabel } from "#app/features/claims/view/state-label.ts";
import { WWW_REMOVED } from "#app/features/domains/several-lines.ts";
import { createHandoffLink, revokeHandoffLink } from "#app/features/handoffs/api.server.ts";
import { handoffOfClaim } from "#app/features/handoffs/handoffs.server.ts";
import { HandoffFold } from "#app/features/handoffs/view/handoff-form.tsx";
import { createProofLink } from "#app/features/proofs/api.server.ts";
import { startWatch, stopWatch } from "#app/features/watching/api.server.ts";
import { getApp } from "#app/http/app.server.ts";
import { formOf, redirectToSelf } from "#app/http/body.server.ts";
import { requireSession } from "#app/http/caller/session.server.ts";
import { problemOf, throwPage, tooSoonOf } from "#app/http/page-errors.server.ts";
import { SOON_MS, useLastAnswer, useTimedRevalidation } from "#app/ui/background-revalidation.ts";
import type { PageHandle, PageHead } from "#app/ui/handle.ts";

export const handle: PageHandle = { live: true };

export async function loader({ request, params }: LoaderFunctionArgs) {
  const { accountId, personId } = await requireSession(request);
  const app = getApp();
  const query = new URL(request.url).searchParams;
  const selectedRead = query.get("read");
  const screen = await claimScreen(app, accountId, params.id ?? "", selectedRead).catch(throwPage);
  const label = stateLabel(screen.claim.state, screen.open);
  const reloads = query.has("live") && screen.open ? refreshAfter(screen) : null;
  const head: PageHead = { icon: label.tone, ...(reloads && { refreshSeconds: reloads }) };
  const isWwwRemoved = query.has(WWW_REMOVED);
  const isMailed = readAccount(app, personId)?.person.mailEnabled ?? false;
  const handoff = handoffOfClaim(app, accountId, screen.claim);
  return json({ screen, handoff, label, head, reloads, isMailed, isWwwRemoved });
}

const typedHandoff = (form: URLSearchParams): TypedHandoff => ({
  title: form.get("title")?.trim() ?? "",
  requestedFor: form.get("requestedFor")?.trim() ?? "",
  returnUrl: form.get("returnUrl")?.trim() ?? "",
});

export async function action({ request, params }: ActionFunctionArgs) {
  const { accountId } = await requireSession(request);
  const id = params.id ?? "";
  let shared: TypedHandoff | null = null;
  let intent: string | null = null;
  try {
    const form = await formOf(request);
    intent = form.get("intent");
    if (intent === "check") {
      const { verificationId } = await readClaim(getApp(), accountId, id);
      await callEndpoint(run, request, { params: { id: verificationId } });
    } else if (intent === "hand-over") {
      shared = typedHandoff(form);
      const given = Object.entries(shared).filter(([, text]) => text !== "");
      const body = { showAddress: form.has("showAddress"), ...Object.fromEntries(given) };
      await callEndpoint(createHandoffLink, request, { params: { id }, body });
    } else {
      const ofClaim = [
        ["cancel", cancel],
        ["take-back", revokeHandoffLink],
        ["watch", startWatch],
        ["unwatch", stopWatch],
        ["publish", createProofLink],
      ] as const;
      const [, endpoint] = ofClaim.find(([name]) => name === intent) ?? [];
      if (!endpoint) throw new DeedError("invalid_request");
      await callEndpoint<Responses>(endpoint, request, { params: { id } });
    }
    return redirectToSelf(`/claims/${id}`);
  } catch (thrown) {
    const refused = problemOf(thrown);
    const { problem, ...init } = refused;
    const tooSoon = intent === "check" ? tooSoonOf(refused, getApp().clock()) : null;
    const result = tooSoon ? { tooSoon } : { problem, shared };
    return json<ClaimActionResult>({ ...NOTHING_SENT, ...result }, init);
  }
}

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: data ? `${data.label.word} · ${data.screen.claim.domain} · Deed` : "Deed" },
];

export default function ClaimRoute() {
  const { screen, handoff, ...page } = useLoaderData<typeof loader>();
  useTimedRevalidation(screen.open && screen.isAskingRegistry ? SOON_MS : null);
  const result = { ...NOTHING_SENT, ...useLastAnswer<typeof action>() };
  return (
    <ClaimPage
      {...page}
      screen={screen}
      result={result}
      sharing={
        <HandoffFold handoff={handoff} heldBy={screen.heldBy} result={result} at={screen.now} />
      }
    />
  );
}
