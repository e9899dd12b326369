import { accountLoader, type RouteArgs } from "#app/api/page.server.ts";
import { readDomainQuery } from "#app/features/domains/api.server.ts";
import { domainsCsv } from "#app/features/domains/csv.server.ts";

export const loader = (args: RouteArgs) =>
  accountLoader(args, async ({ app, query, session: { accountId } }) => {
    const csv = await domainsCsv(app, accountId, readDomainQuery(query));
    const headers = {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": 'attachment; filename="domains.csv"',
    };
    return new Response(csv, { headers });
  });
