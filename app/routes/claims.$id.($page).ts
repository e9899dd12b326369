import { accountLoader, type RouteArgs } from "#app/api/page.server.ts";
import { placeOfClaim } from "#app/features/domains/view/domain-screen.server.ts";
import { redirect } from "#app/remix/node.server.ts";

/** Where a claim had its page: leads to its place on the page of its domain. */
export const loader = (args: RouteArgs) =>
  accountLoader(args, ({ app, id, session }) => {
    throw redirect(placeOfClaim(app, session.accountId, id, args.params.page));
  });

export { loader as action };
