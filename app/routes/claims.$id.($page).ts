import { accountLoader, type RouteArgs } from "#app/api/page.server.ts";
import { pathOfClaim } from "#app/features/domains/view/domain-screen.server.ts";
import { redirect } from "#app/remix/node.server.ts";

/** The former page of a claim: redirects to the claim on its domain's page. */
export const loader = (args: RouteArgs) =>
  accountLoader(args, ({ app, id, session }) => {
    throw redirect(pathOfClaim(app, session.accountId, id, args.params.page));
  });

export { loader as action };
