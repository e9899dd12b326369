import { accountAction, type RouteArgs } from "#app/api/page.server.ts";
import { keepFastInView } from "#app/features/claims/visible.server.ts";

/** The page of an open claim tells that it is in view. */
export const action = (args: RouteArgs) =>
  accountAction(args, {
    async visible({ app, id, session }) {
      await keepFastInView(app, session.accountId, id);
      return new Response(null, { status: 204 });
    },
  });
