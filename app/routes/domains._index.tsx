import { type ActionFunctionArgs, json, type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { callEndpoint } from "#app/api/dispatch.server.ts";
import { createDomain, readDomainQuery } from "#app/api/domains.server.ts";
import { openOrFindClaim } from "#app/api/open-or-find-claim.server.ts";
import { requireSession } from "#app/auth/session.server.ts";
import { AddName } from "#app/components/domains/add-name.tsx";
import { DomainFilters, FindName } from "#app/components/domains/domain-filters.tsx";
import { DomainTable } from "#app/components/domains/domain-table.tsx";
import { keepDataOnFailure } from "#app/components/ui/background-revalidation.ts";
import type { PageHandle } from "#app/components/ui/handle.ts";
import { Entry, Page } from "#app/components/ui/page.tsx";
import { Pager } from "#app/components/ui/table.tsx";
import { getApp } from "#app/http/app.server.ts";
import { formOf } from "#app/http/body.server.ts";
import { problemOf, throwPage } from "#app/http/page-errors.server.ts";
import { listDomains } from "#app/services/domains/domains.server.ts";
import { knownNames } from "#app/services/domains/known-names.server.ts";
import { DeedError } from "#app/services/errors.server.ts";
import { openStates } from "#app/services/screens/open-states.server.ts";

/** Maximum number of names the add field suggests. */
const MAX_SUGGESTIONS = 12;
const FILTERS = ["name", "status", "archived", "cursor", "limit"];

export const handle: PageHandle = { live: true };

export async function loader({ request }: LoaderFunctionArgs) {
  const { accountId } = await requireSession(request);
  const app = getApp();
  const given = new URL(request.url).searchParams;
  const query = new URLSearchParams(
    [...given].filter(([name, value]) => FILTERS.includes(name) && value.trim() !== ""),
  );
  let error: string | null = null;
  const list = async () => listDomains(app, accountId, readDomainQuery(query));
  const { counts, domains, nextCursor } = await list().catch((thrown) => {
    if (!(thrown instanceof DeedError && thrown.code === "invalid_domain"))
      return throwPage(thrown);
    error = thrown.message;
    return listDomains(app, accountId, { limit: 1 });
  });
  const older = new URLSearchParams(query);
  if (nextCursor) older.set("cursor", nextCursor);
  return json(
    {
      counts,
      domains: error ? [] : domains,
      states: openStates(app, accountId, domains),
      current: query.get("status") ?? (query.get("archived") === "true" ? "archived" : null),
      name: given.get("name") ?? "",
      error,
      adding: given.get("add") ?? "",
      known: knownNames(app, accountId, given.get("add") ?? "", MAX_SUGGESTIONS),
      older: nextCursor && !error ? `/domains?${older}` : null,
      paged: query.has("cursor"),
      isDeleted: given.has("deleted"),
      now: new Date(app.clock()).toISOString(),
    },
    { status: error ? 400 : 200 },
  );
}

export const clientLoader = keepDataOnFailure("routes/domains._index");

export async function action({ request }: ActionFunctionArgs) {
  await requireSession(request);
  let typed = "";
  try {
    const form = await formOf(request);
    typed = form.get("domain") ?? "";
    const { body: domain, status } = await callEndpoint(createDomain, request, {
      body: { domain: typed },
    });
    if (form.get("intent") !== "claim" || domain.archived)
      return redirect(`/domains/${domain.id}${status === 200 ? "?known" : ""}`, 303);
    return redirect(`/claims/${await openOrFindClaim(request, domain.id)}`, 303);
  } catch (thrown) {
    const { problem, status } = problemOf(thrown);
    return json({ typed, problem }, { status });
  }
}

export const meta = () => [{ title: "Domains · Deed" }];

export default function DomainsPage() {
  const {
    counts,
    domains,
    states,
    current,
    name,
    error,
    adding,
    known,
    older,
    paged,
    isDeleted,
    now,
  } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  const empty = Object.values(counts).every((count) => count === 0);
  return (
    <Page
      title="Domains"
      lead={empty ? "Nothing is on record yet. Name the domain you want to prove." : undefined}
    >
      {isDeleted ? <p role="status">The domain is deleted, with its claims and proofs.</p> : null}
      <Entry title="Claim a name">
        <AddName typed={refused?.typed ?? adding} error={refused?.problem.message} known={known} />
      </Entry>
      {empty ? null : (
        <Entry title="On record">
          <DomainFilters counts={counts} current={current} />
          <FindName key={name} typed={name} error={error} />
          {domains.length > 0 ? (
            <DomainTable domains={domains} states={states} now={now} />
          ) : (
            <p className="soft">
              No domain fits. {paged ? "This is past the end of the list." : ""}
            </p>
          )}
          <Pager newest={paged ? "/domains" : null} older={older} />
        </Entry>
      )}
    </Page>
  );
}
