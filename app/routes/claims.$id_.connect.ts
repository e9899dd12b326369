import type { LoaderFunctionArgs } from "@remix-run/node";
import { setOut } from "#app/auth/connect-trip.server.ts";
import { requireSession } from "#app/auth/session.server.ts";
import { getApp } from "#app/http/app.server.ts";
import { setUpUrl } from "#app/services/screens/set-up.server.ts";

/** Sends the browser to the zone's DNS provider, to add the record there. */
export async function loader({ request, params: { id = "" } }: LoaderFunctionArgs) {
  const { accountId } = await requireSession(request);
  const app = getApp();
  return setOut(app, request, (back) => setUpUrl(app, accountId, id, back));
}
