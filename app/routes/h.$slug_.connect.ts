import type { LoaderFunctionArgs } from "@remix-run/node";
import { setOut } from "#app/auth/connect-trip.server.ts";
import { getApp } from "#app/http/app.server.ts";
import { connectionOf } from "#app/http/connection.server.ts";
import { consumeBudget } from "#app/http/limits.server.ts";
import { throwPage } from "#app/http/page-errors.server.ts";
import { resolveHandoff } from "#app/services/handoffs/handoffs.server.ts";
import { setUpUrl } from "#app/services/screens/set-up.server.ts";

/** Sends the visitor of a hand-off to the zone's DNS provider, to add the record there. */
export async function loader({ request, params: { slug = "" } }: LoaderFunctionArgs) {
  const app = getApp();
  await consumeBudget(app, "proofs", connectionOf(request).address).catch(throwPage);
  return setOut(app, request, async (back) => {
    const { accountId, claimId, end } = await resolveHandoff(app, slug);
    return end ? null : setUpUrl(app, accountId, claimId, back);
  });
}
