import { accountLoader, type RouteArgs } from "#app/api/page.server.ts";
import { findAccounts, SORTS, type Sort } from "#app/features/admin/accounts.server.ts";
import { failuresOfLastDay } from "#app/features/admin/failures.server.ts";
import { partsOfInstallation } from "#app/features/admin/installation.server.ts";
import {
  AccountTable,
  FailureReport,
  Installation,
  summaryOf,
} from "#app/features/admin/view/admin.tsx";
import { requireAdmin } from "#app/http/caller/admin.server.ts";
import { useLoaderData } from "#app/remix/react.ts";
import { Entry, Page } from "#app/ui/page.tsx";
import { Pager } from "#app/ui/table.tsx";

export const loader = (args: RouteArgs) =>
  accountLoader(
    args,
    async ({ app, query }) => {
      const q = query.get("q")?.trim() ?? "";
      const sortText = query.get("sort") ?? "";
      const sort = Object.hasOwn(SORTS, sortText) ? (sortText as Sort) : "newest";
      const page = /^[1-9]\d{0,5}$/.test(query.get("page") ?? "") ? Number(query.get("page")) : 1;
      const found = findAccounts(app, q, sort, page);
      const pageAt = (at: number) => `/admin?${new URLSearchParams({ q, sort, page: `${at}` })}`;
      return {
        accounts: { ...found, q, sort },
        newer: page > 1 ? pageAt(page - 1) : null,
        older: found.isMore ? pageAt(page + 1) : null,
        installation:
          page > 1 || q
            ? null
            : { parts: await partsOfInstallation(app), failures: failuresOfLastDay(app) },
      };
    },
    requireAdmin,
  );

export const meta = () => [{ title: "Admin · Deed" }];

export default function AdminPage() {
  const { accounts, installation, newer, older, now } = useLoaderData<typeof loader>();
  return (
    <Page title="Admin" lead={installation ? summaryOf(installation.parts) : undefined}>
      {installation ? (
        <>
          <Entry title="Installation">
            <Installation parts={installation.parts} />
          </Entry>
          <Entry title="Last 24 hours">
            <FailureReport failures={installation.failures} now={now} />
          </Entry>
        </>
      ) : null}
      <Entry title="Accounts">
        <AccountTable {...accounts} now={now} />
        <Pager newer={newer} older={older} />
      </Entry>
    </Page>
  );
}
