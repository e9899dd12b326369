import { json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { requireAdmin } from "#app/auth/admin.server.ts";
import { AccountTable } from "#app/components/admin/account-table.tsx";
import { FailureReport } from "#app/components/admin/failures.tsx";
import { Entry, Page } from "#app/components/ui/page.tsx";
import { Pager } from "#app/components/ui/table.tsx";
import { getApp } from "#app/http/app.server.ts";
import { throwPage } from "#app/http/page-errors.server.ts";
import { listAccounts } from "#app/services/admin/accounts-list.server.ts";
import { failuresOfLastDay } from "#app/services/admin/failures.server.ts";
import { iso } from "#app/services/time.ts";

export async function loader({ request }: LoaderFunctionArgs) {
  await requireAdmin(request);
  const app = getApp();
  const cursor = new URL(request.url).searchParams.get("cursor") || undefined;
  try {
    return json({
      ...listAccounts(app, cursor),
      failures: failuresOfLastDay(app),
      paged: cursor !== undefined,
      now: iso(app.clock()),
    });
  } catch (thrown) {
    return throwPage(thrown);
  }
}

export const meta: MetaFunction = () => [{ title: "Admin · Deed" }];

export default function AdminPage() {
  const { accounts, nextCursor, failures, paged, now } = useLoaderData<typeof loader>();
  return (
    <Page title="Admin" lead="The accounts of this installation, and what failed in the last day.">
      {paged ? null : (
        <Entry title="Last 24 hours">
          <FailureReport failures={failures} now={now} />
        </Entry>
      )}
      <Entry title={paged ? "Older accounts" : "Accounts"}>
        <AccountTable accounts={accounts} now={now} />
        <Pager
          newest={paged ? "/admin" : null}
          older={nextCursor && `/admin?cursor=${encodeURIComponent(nextCursor)}`}
        />
      </Entry>
    </Page>
  );
}
