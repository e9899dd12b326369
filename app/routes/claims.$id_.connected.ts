import { type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { callEndpoint } from "#app/api/dispatch.server.ts";
import { run } from "#app/api/verifications.server.ts";
import { endTrip } from "#app/auth/connect-state.server.ts";
import { requireSession } from "#app/auth/session.server.ts";
import { getApp } from "#app/http/app.server.ts";
import { problemOf, throwPage } from "#app/http/page-errors.server.ts";
import { readClaim } from "#app/services/claims/claims.server.ts";

/**
 * Where DNS providers send the browser back to (draft-ietf-dconn-domainconnect). Reads DNS at once if this browser went
 * there from this claim; anyone else's link reads nothing.
 */
export async function loader({ request, params }: LoaderFunctionArgs) {
  const { accountId } = await requireSession(request);
  const app = getApp();
  const query = new URL(request.url).searchParams;
  const id = params.id ?? "";
  const from = `/claims/${id}`;
  const { verificationId } = await readClaim(app, accountId, id).catch(throwPage);
  const { isOwn, cookie } = await endTrip(app, request, { state: query.get("state"), from });
  const isRefused = query.has("error");
  if (isOwn && !isRefused) {
    try {
      await callEndpoint(run, request, { params: { id: verificationId } });
    } catch (thrown) {
      // The page says how the claim is; a check that a budget refused comes by itself soon.
      problemOf(thrown);
    }
  }
  return redirect(isOwn && isRefused ? `${from}?set-up=refused` : from, {
    status: 303,
    headers: { "Set-Cookie": cookie },
  });
}
