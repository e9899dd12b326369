import { accountLoader, type RouteArgs } from "#app/api/page.server.ts";
import { listAccounts } from "#app/features/admin/accounts.server.ts";
import { failuresOfLastDay } from "#app/features/admin/failures.server.ts";
import { AccountTable, FailureReport } from "#app/features/admin/view/admin.tsx";
import { requireAdmin } from "#app/http/caller/admin.server.ts";
import { useLoaderData } from "#app/remix/react.ts";
import { Entry, Page } from "#app/ui/page.tsx";
import { olderFrom, Pager } from "#app/ui/table.tsx";

export const loader = (args: RouteArgs) =>
  accountLoader(
    args,
    ({ app, query }) => {
      const cursor = query.get("cursor") || undefined;
      const failures = failuresOfLastDay(app);
      return { ...listAccounts(app, cursor), failures, paged: cursor !== undefined };
    },
    requireAdmin,
  );

export const meta = () => [{ title: "Admin · Deed" }];

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
        <Pager newest={paged ? "/admin" : null} older={olderFrom(nextCursor)} />
      </Entry>
    </Page>
  );
}
