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
import { handOver, takeBack } from "#app/api/handoffs.server.ts";
import { createProofLink, revokeLink } from "#app/api/proofs.server.ts";
import { run } from "#app/api/verifications.server.ts";
import { requireSession } from "#app/auth/session.server.ts";
import { ClaimPage } from "#app/components/claim/claim-page.tsx";
import { keepStanding } from "#app/components/ui/background-revalidation.ts";
import type { PageHandle, PageHead } from "#app/components/ui/handle.ts";
import { refreshAfter } from "#app/components/ui/refresh-after.ts";
import { claimStanding } from "#app/components/ui/state.tsx";
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
  const asked = query.get("read");
  const screen = await claimScreen(getApp(), accountId, params.id ?? "", asked).catch(throwPage);
  const standing = claimStanding(screen.claim.state, screen.verification.status);
  const isStill = screen.claim.state !== "pending" || query.has("still") || asked !== null;
  const head: PageHead = {
    icon: standing.tone,
    ...(isStill ? {} : { refreshSeconds: refreshAfter(screen) }),
  };
  return json({ screen, standing, head });
}

export const clientLoader = keepStanding("routes/claims.$id");

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
        await callEndpoint(handOver, request, { params: { id } });
        break;
      case "take-back":
        await callEndpoint(takeBack, request, { params: { id } });
        break;
      case "publish":
        await callEndpoint(createProofLink, request, { params: { id } });
        break;
      case "revoke":
        await callEndpoint(revokeLink, request, { params: { id, slug: form.get("slug") ?? "" } });
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
  { title: data ? `${data.standing.word} · ${data.screen.claim.domain} · Deed` : "Deed" },
];

export default function ClaimRoute() {
  const { screen } = useLoaderData<typeof loader>();
  return <ClaimPage screen={screen} done={useActionData<typeof action>()} />;
}
