import { useState } from "react";
import { accountAction, accountLoader, type RouteArgs } from "#app/api/page.server.ts";
import { iso } from "#app/core/time.ts";
import { addLine, addSeveral } from "#app/features/domains/form-actions.server.ts";
import { nameWarning } from "#app/features/domains/name-warning.server.ts";
import {
  linesError,
  linesOf,
  refusedLines,
  type SeveralAnswer,
} from "#app/features/domains/several-lines.ts";
import { AddName, type TypedName } from "#app/features/domains/view/add-name.tsx";
import { AddSeveral, SeveralResults } from "#app/features/domains/view/add-several.tsx";
import {
  DomainFilters,
  DomainOrder,
  FindName,
  NoneFound,
} from "#app/features/domains/view/domain-filters.tsx";
import { DomainTable } from "#app/features/domains/view/domain-table.tsx";
import { domainsScreen } from "#app/features/domains/view/domains-screen.server.ts";
import { SelectForm } from "#app/features/domains/view/selected.tsx";
import { getApp } from "#app/http/app.server.ts";
import { json } from "#app/remix/node.server.ts";
import { useLoaderData } from "#app/remix/react.ts";
import { useLastAnswer } from "#app/ui/background-revalidation.ts";
import { DomainName } from "#app/ui/name.tsx";
import { Fold, Page, type PageHandle } from "#app/ui/page.tsx";
import { Pager } from "#app/ui/table.tsx";

export const handle: PageHandle = { live: true };

export async function loader(args: RouteArgs) {
  const page = await accountLoader(args, ({ app, query, session }) =>
    domainsScreen(app, session.accountId, query),
  );
  return json(page, { status: page.error ? 400 : 200 });
}

function addLines(args: RouteArgs) {
  const at = iso(getApp().clock());
  const typedFields = (form: URLSearchParams | null) => ({
    typed: form?.get("domains") ?? "",
    reference: form?.get("reference")?.trim() ?? "",
  });
  const answer = (parts: Omit<SeveralAnswer, "at">) => ({ several: { at, ...parts }, one: null });
  return accountAction(
    args,
    async ({ app, form, session: { accountId } }) => {
      const { typed, reference } = typedFields(form);
      const lines = linesOf(typed);
      const error = linesError(lines, reference);
      if (error !== null)
        return json(answer({ typed, reference, error, results: [] }), { status: 400 });
      const options = { accountId, reference, intent: form.get("intent") };
      const results = await addSeveral(app, args.request, lines, options);
      return answer({ typed: refusedLines(results), reference, error: null, results });
    },
    ({ problem }, form) => {
      const isTooLong = problem.code === "payload_too_large";
      const message = isTooLong ? "This is too long. Add fewer lines at once." : problem.message;
      return answer({ ...typedFields(form), error: { field: "domains", message }, results: [] });
    },
  );
}

const addName = (args: RouteArgs) =>
  accountAction(
    args,
    async ({ app, form, session: { accountId } }) => {
      const domain = form.get("guess") ?? form.get("domain") ?? "";
      const reference = form.get("reference")?.trim() ?? "";
      const intent = form.has("guess") ? "claim" : form.get("intent");
      const keepWww = form.has("keepWww");
      if (intent === "claim") {
        const doubt = await nameWarning(app, accountId, { domain, reference, keepWww });
        const one = doubt && { domain, error: doubt.says, isDoubted: true, guess: doubt.guess };
        if (one) return json({ one, several: null }, { status: 400 });
      }
      const options = { accountId, reference, intent: "claim", keepWww };
      const { outcome, href } = await addLine(app, args.request, domain, options);
      return outcome === "claimed" ? href : `${href}${href.includes("?") ? "&" : "?"}known`;
    },
    ({ problem }, form) => {
      const one: TypedName = { domain: form?.get("domain") ?? "", error: problem.message };
      return { one, several: null };
    },
  );

export const action = (args: RouteArgs) =>
  new URL(args.request.url).searchParams.has("several") ? addLines(args) : addName(args);

export const meta = () => [{ title: "Domains · Deed" }];

/** From this many domains on, a list has search and filters; a shorter one is easy to read. */
const LONG_LIST = 10;

export default function DomainsPage() {
  const page = useLoaderData<typeof loader>();
  const { counts, current, typed, reference, deleted } = page;
  const { one: refused = null, several = null } = useLastAnswer<typeof action>() ?? {};
  const total = counts.all + counts.archived;
  // Fixed while the page is open, so that a domain added elsewhere does not fold away the typed text.
  const [isLong] = useState(total >= LONG_LIST);
  const isFiltered = current !== null || Boolean(typed || reference) || page.sort !== null;
  const add = (
    <AddName typed={refused ?? { domain: page.adding }} known={page.known} key={page.adding} />
  );
  return (
    <Page
      title="Domains"
      lead={total === 0 ? "No domains yet. Type the domain you want to prove." : undefined}
    >
      {deleted === null ? null : (
        <p role="status" className="after">
          <DomainName ascii={deleted.name} unicode={deleted.name} reference={deleted.reference} />{" "}
          was deleted.
        </p>
      )}
      {several?.results.length ? <SeveralResults results={several.results} /> : null}
      {total === 0 ? null : (
        <a href="#list" className="skip">
          Skip to the list
        </a>
      )}
      <div className={isLong ? "tools" : "stack"}>
        {isLong ? (
          <Fold title="Add domain" open={refused !== null || page.adding !== ""}>
            {add}
          </Fold>
        ) : (
          add
        )}
        <AddSeveral answer={several} />
      </div>
      {total === 0 ? null : (
        <div className="list stack">
          <DomainFilters {...page} />
          {isLong || isFiltered ? <FindName key={`${typed} ${reference}`} {...page} /> : null}
          {page.domains.length > (typed || reference ? 0 : 1) ? <DomainOrder {...page} /> : null}
          <div id="list" tabIndex={-1}>
            {page.domains.length > 0 ? (
              <SelectForm isArchive={current === "archived"}>
                <DomainTable {...page} />
              </SelectForm>
            ) : !isFiltered ? null : (
              <NoneFound typed={typed} reference={reference} isMore={page.older !== null} />
            )}
          </div>
          <Pager newer={page.newer} older={page.older} />
          <p className="row sans">
            <a href="/domains.csv" download>
              Download the whole list as CSV
            </a>
          </p>
        </div>
      )}
    </Page>
  );
}
