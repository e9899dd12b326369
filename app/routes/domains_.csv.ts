import { readDomainQuery } from "#app/features/domains/api.server.ts";
import { domainsCsv } from "#app/features/domains/csv.server.ts";
import { getApp } from "#app/http/app.server.ts";
import { requireSession } from "#app/http/caller/session.server.ts";
import { throwPage } from "#app/http/page-errors.server.ts";
import type { LoaderFunctionArgs } from "#app/remix/node.server.ts";

export async function loader({ request }: LoaderFunctionArgs) {
  const { accountId } = await requireSession(request);
  try {
    const query = readDomainQuery(new URL(request.url).searchParams);
    return new Response(await domainsCsv(getApp(), accountId, query), {
      headers: {
        "Content-Type": "text/csv; charset=utf-8",
        "Content-Disposition": 'attachment; filename="domains.csv"',
      },
    });
  } catch (error) {
    return throwPage(error);
  }
}
