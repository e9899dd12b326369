import {
  type ActionFunctionArgs,
  json,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { cancel } from "#app/api/claims.server.ts";
import { callEndpoint } from "#app/api/dispatch.server.ts";
import { createHandoffLink, revokeHandoffLink } from "#app/api/handoffs.server.ts";
import { createProofLink } from "#app/api/proofs.server.ts";
import { run } from "#app/api/verifications.server.ts";
import { requireSession } from "#app/auth/session.server.ts";
import { ClaimPage } from "#app/components/claim/claim-page.tsx";
import { keepDataOnFailure } from "#app/components/ui/background-revalidation.ts";
import type { PageHandle, PageHead } from "#app/components/ui/handle.ts";
import { refreshAfter } from "#app/components/ui/refresh-after.ts";
import { stateLabel } from "#app/components/ui/state.tsx";
import { getApp } from "#app/http/app.server.ts";
import { formOf } from "#app/http/body.server.ts";
import { connectionOf } from "#app/http/connection.server.ts";
import { consumeBudget } from "#app/http/limits.server.ts";
import { problemOf, throwPage } from "#app/http/page-errors.server.ts";
import { readClaim } from "#app/services/claims/claims.server.ts";
import { DeedError } from "#app/services/errors.server.ts";
import { claimScreen } from "#app/services/screens/claim-screen.server.ts";
import { rehearseClaim } from "#app/services/screens/rehearsal.server.ts";

export const handle: PageHandle = { live: true };

export async function loader({ request, params }: LoaderFunctionArgs) {
  const { accountId } = await requireSession(request);
  const query = new URL(request.url).searchParams;
  const selectedRead = query.get("read");
  const screen = await claimScreen(getApp(), accountId, params.id ?? "", selectedRead).catch(
    throwPage,
  );
  const label = stateLabel(screen.claim.state, screen.open);
  const isRefreshOff =
    screen.claim.state !== "pending" || query.has("still") || selectedRead !== null;
  const head: PageHead = {
    icon: label.tone,
    ...(isRefreshOff ? {} : { refreshSeconds: refreshAfter(screen) }),
  };
  return json({ screen, label, head });
}

export const clientLoader = keepDataOnFailure("routes/claims.$id");

export async function action({ request, params }: ActionFunctionArgs) {
  const { accountId } = await requireSession(request);
  const id = params.id ?? "";
  let typed: string | null = null;
  try {
    const form = await formOf(request);
    switch (form.get("intent")) {
      case "rehearse":
        typed = form.get("line") ?? "";
        return json({
          problem: null,
          typed,
          outcome: await rehearseClaim(getApp(), accountId, id, typed, () =>
            consumeBudget(getApp(), "zones", connectionOf(request).address),
          ),
        });
      case "check": {
        const { verificationId } = await readClaim(getApp(), accountId, id);
        await callEndpoint(run, request, { params: { id: verificationId } });
        break;
      }
      case "cancel":
        await callEndpoint(cancel, request, { params: { id } });
        break;
      case "hand-over":
        await callEndpoint(createHandoffLink, request, { params: { id } });
        break;
      case "take-back":
        await callEndpoint(revokeHandoffLink, request, { params: { id } });
        break;
      case "publish":
        await callEndpoint(createProofLink, request, { params: { id } });
        break;
      default:
        throw new DeedError("invalid_request");
    }
    return redirect(`/claims/${id}`, 303);
  } catch (thrown) {
    const { problem, status } = problemOf(thrown);
    return json({ problem, typed, outcome: null }, { status });
  }
}

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: data ? `${data.label.word} · ${data.screen.claim.domain} · Deed` : "Deed" },
];

export default function ClaimRoute() {
  const { screen } = useLoaderData<typeof loader>();
  return <ClaimPage screen={screen} result={useActionData<typeof action>()} />;
}
