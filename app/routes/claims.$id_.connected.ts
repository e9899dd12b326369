import type { LoaderFunctionArgs } from "@remix-run/node";
import { callEndpoint } from "#app/api/dispatch.server.ts";
import { run } from "#app/api/verifications.server.ts";
import { comeBack } from "#app/auth/connect-trip.server.ts";
import { requireSession } from "#app/auth/session.server.ts";
import { getApp } from "#app/http/app.server.ts";
import { readClaim } from "#app/services/claims/claims.server.ts";

/** Where a DNS provider sends the browser back to (draft-ietf-dconn-domainconnect). */
export async function loader({ request, params: { id = "" } }: LoaderFunctionArgs) {
  const { accountId } = await requireSession(request);
  const app = getApp();
  return comeBack(app, request, async () => {
    const { verificationId } = await readClaim(app, accountId, id);
    return callEndpoint(run, request, { params: { id: verificationId } });
  });
}
