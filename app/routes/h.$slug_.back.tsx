import { json, type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/node";
import { UnknownHandoff } from "#app/components/claim/handoff-page.tsx";
import type { PageHandle } from "#app/components/ui/handle.ts";
import { getApp } from "#app/http/app.server.ts";
import { connectionOf } from "#app/http/connection.server.ts";
import { consumeBudget } from "#app/http/limits.server.ts";
import { throwPage } from "#app/http/page-errors.server.ts";
import { DeedError } from "#app/services/errors.server.ts";
import { wayBackOf } from "#app/services/screens/handoff-screen.server.ts";

export const handle: PageHandle = { document: true, script: false };

/** Leads from a hand-off to the application that sent its visitor, with the outcome as it is now. */
export async function loader({ request, params }: LoaderFunctionArgs) {
  const app = getApp();
  await consumeBudget(app, "proofs", connectionOf(request).address).catch(throwPage);
  try {
    const back = await wayBackOf(app, params.slug ?? "");
    return redirect(back, {
      status: 303,
      headers: { "Cache-Control": "no-store", "X-Robots-Tag": "noindex, nofollow" },
    });
  } catch (thrown) {
    if (thrown instanceof DeedError && thrown.status === 404) return json(null, { status: 404 });
    return throwPage(thrown);
  }
}

export const meta: MetaFunction = () => [
  { title: "Shared record · Deed" },
  { name: "robots", content: "noindex, nofollow" },
];

export default UnknownHandoff;
