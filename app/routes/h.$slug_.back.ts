import { publicLoader, type RouteArgs } from "#app/api/page.server.ts";
import { allowedReturnUrl } from "#app/features/handoffs/handoffs.server.ts";
import { redirect } from "#app/remix/node.server.ts";

/** Redirects from a hand-off to the application that sent its visitor, or to the page if that is not allowed now. */
export const loader = (args: RouteArgs) =>
  publicLoader(args, ({ app, slug }) =>
    redirect(allowedReturnUrl(app, slug) ?? `/h/${encodeURIComponent(slug)}`, {
      status: 303,
      headers: { "Cache-Control": "no-store", "X-Robots-Tag": "noindex, nofollow" },
    }),
  );
