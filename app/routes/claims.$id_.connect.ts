import { type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { beginTrip } from "#app/auth/connect-state.server.ts";
import { requireSession } from "#app/auth/session.server.ts";
import { getApp } from "#app/http/app.server.ts";
import { throwPage } from "#app/http/page-errors.server.ts";
import { setUpUrl } from "#app/services/screens/set-up.server.ts";

/** Sends the browser to the zone's DNS provider, to add the record there. */
export async function loader({ request, params }: LoaderFunctionArgs) {
  const { accountId } = await requireSession(request);
  const app = getApp();
  const from = `/claims/${params.id}`;
  const { state, cookie } = await beginTrip(app, from);
  const trip = { state, returnTo: `${app.settings.baseUrl}${from}/connected` };
  const url = await setUpUrl(app, accountId, params.id ?? "", trip).catch(throwPage);
  if (url === null) return redirect(`${from}?set-up=not-possible`, 303);
  return redirect(url, {
    status: 303,
    headers: { "Set-Cookie": cookie, "Referrer-Policy": "no-referrer" },
  });
}
