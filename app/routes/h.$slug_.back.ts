import { type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { wayBackOf } from "#app/features/handoffs/handoffs.server.ts";
import { getApp } from "#app/http/app.server.ts";
import { connectionOf } from "#app/http/connection.server.ts";
import { consumeBudget } from "#app/http/limits.server.ts";
import { throwPage } from "#app/http/page-errors.server.ts";

/** Leads from a hand-off to the application that sent its visitor; to its page if it may lead nowhere now. */
export async function loader({ request, params: { slug = "" } }: LoaderFunctionArgs) {
  const app = getApp();
  await consumeBudget(app, "proofs", connectionOf(request).address).catch(throwPage);
  return redirect(wayBackOf(app, slug) ?? `/h/${encodeURIComponent(slug)}`, {
    status: 303,
    headers: { "Cache-Control": "no-store", "X-Robots-Tag": "noindex, nofollow" },
  });
}
