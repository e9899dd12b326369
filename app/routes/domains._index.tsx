import { json } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { useState } from "react";
import { accountAction, accountLoader, type RouteArgs } from "#app/api/page.server.ts";
import { DeedError } from "#app/core/errors.server.ts";
import { iso } from "#app/core/time.ts";
import { createDomain, readDomainQuery } from "#app/features/domains/api.server.ts";
import { knownNames } from "#app/features/domains/domain-rows.server.ts";
import { hasReferences, listDomains } from "#app/features/domains/domains.server.ts";
import { doubtAbout } from "#app/features/domains/doubts.server.ts";
import { addSeveral, ensureClaim, hasOwnPage } from "#app/features/domains/form-actions.server.ts";
import type { ListedDomain } from "#app/features/domains/resources.ts";
import {
  linesError,
  linesOf,
  refusedLines,
  type SeveralAnswer,
  WWW_REMOVED,
} from "#app/features/domains/several-lines.ts";
import { AddName, type TypedName } from "#app/features/domains/view/add-name.tsx";
import { AddSeveral } from "#app/features/domains/view/add-several.tsx";
import {
  DomainFilters,
  DomainSorts,
  FindName,
} from "#app/features/domains/view/domain-filters.tsx";
import { DomainTable } from "#app/features/domains/view/domain-table.tsx";
import {
  needsYou,
  openStates,
  shownDomain,
} from "#app/features/domains/view/open-states.server.ts";
import { getApp } from "#app/http/app.server.ts";
import { useLastAnswer } from "#app/ui/background-revalidation.ts";
import { DomainName, referencePath } from "#app/ui/name.tsx";
import { Fold, Page, type PageHandle } from "#app/ui/page.tsx";
import { Pager } from "#app/ui/table.tsx";

const FILTERS = ["name", "q", "reference", "status", "archived", "cursor", "limit"];

const SORTS = ["name", "state"] as const;
/** Maximum number of domains from later pages that lead the first one because they need somebody. */
const MAX_LEADING = 25;

/** A page of the list with its domains that need somebody first, on the first page after those of later pages. */
function needsYouFirst(page: ListedDomain[], needing: ListedDomain[], isFirst: boolean) {
  const leading = isFirst ? needing.slice(0, MAX_LEADING) : [];
  const isAmong = (domains: ListedDomain[], id: string) => domains.some((one) => one.id === id);
  const others = page.filter(({ id }) => !isAmong(leading, id));
  const rank = ({ id }: ListedDomain) => (isAmong(needing, id) ? 0 : 1);
  return [...leading, ...others.toSorted((a, b) => rank(a) - rank(b))];
}

/** A deleted domain's name as the address of the page has it, empty if it is no name; null if none was deleted. */
const deletedName = (given: string | null): string | null =>
  given === null ? null : (/^[a-z0-9_.-]{1,253}$/.exec(given)?.[0] ?? "");

export const handle: PageHandle = { live: true };

export async function loader(args: RouteArgs) {
  const page = await accountLoader(args, async ({ app, query: given, session: { accountId } }) => {
    const query = new URLSearchParams(
      [...given].filter(([name, value]) => FILTERS.includes(name) && value.trim() !== ""),
    );
    const reference = query.get("reference")?.trim() ?? null;
    if (reference !== null) query.set("reference", reference);
    const isNeedsYou = query.get("status") === "needs_you";
    if (isNeedsYou) query.delete("status");
    const sort = SORTS.find((order) => order === given.get("sort"));
    let error: string | null = null;
    const list = async () => listDomains(app, accountId, { ...readDomainQuery(query), sort });
    const { counts, domains, nextCursor } = await list().catch((thrown) => {
      if (!(thrown instanceof DeedError && thrown.code === "invalid_domain")) throw thrown;
      error = thrown.message;
      return listDomains(app, accountId, { limit: 1 });
    });
    const older = new URLSearchParams(query);
    if (nextCursor) older.set("cursor", nextCursor);
    if (sort) older.set("sort", sort);
    // A list by state goes on where its page ended.
    if (sort === "state") older.set("status", domains.at(-1)?.status ?? "");
    const needing = needsYou(app, accountId);
    const isFirst = [...query.keys()].every((name) => name === "limit");
    const ranked = () =>
      sort === "name" ? domains : needsYouFirst(domains, needing.domains, isFirst);
    const shown = isNeedsYou ? needing.domains : ranked();
    const isArchived = query.get("archived") === "true";
    const filter = isArchived ? "archived" : sort ? null : query.get("status");
    const adding = given.get("add") ?? "";
    return {
      counts,
      needing: { count: needing.domains.length, more: needing.more },
      domains: error ? [] : shown.map(shownDomain),
      states: openStates(app, shown),
      current: isNeedsYou ? "needs_you" : filter,
      sort: sort ?? ("newest" as const),
      reference: hasReferences(app, accountId) ? (reference ?? "") : reference,
      typed: given.get("q") ?? given.get("name") ?? "",
      error,
      adding,
      known: knownNames(app, accountId, adding, 12),
      older: nextCursor && !error && !isNeedsYou ? `/domains?${older}` : null,
      paged: query.has("cursor"),
      deleted: deletedName(given.get("deleted")),
    };
  });
  return json(page, { status: page.error ? 400 : 200 });
}

function addLines(args: RouteArgs) {
  const at = iso(getApp().clock());
  const typedIn = (form: URLSearchParams | null) => ({
    typed: form?.get("domains") ?? "",
    reference: form?.get("reference")?.trim() ?? "",
  });
  const answer = (parts: Omit<SeveralAnswer, "at">) => ({ several: { at, ...parts }, one: null });
  return accountAction(
    args,
    async ({ app, form, session: { accountId } }) => {
      const { typed, reference } = typedIn(form);
      const lines = linesOf(typed);
      const error = linesError(lines, reference);
      if (error !== null)
        return json(answer({ typed, reference, error, results: [] }), { status: 400 });
      const asked = { accountId, reference, intent: form.get("intent") };
      const results = await addSeveral(app, args.request, lines, asked);
      return answer({ typed: refusedLines(results), reference, error: null, results });
    },
    ({ problem }, form) => {
      const isTooLong = problem.code === "payload_too_large";
      const message = isTooLong ? "This is too long. Add fewer lines at once." : problem.message;
      return answer({ ...typedIn(form), error: { field: "domains", message }, results: [] });
    },
  );
}

const addName = (args: RouteArgs) =>
  accountAction(
    args,
    async ({ app, form, call, session: { accountId } }) => {
      const domain = form.get("domain") ?? "";
      const reference = form.get("reference")?.trim() ?? "";
      const intent = form.get("intent");
      const keepWww = form.has("keepWww");
      if (intent === "claim") {
        const error = await doubtAbout(app, accountId, { domain, reference, keepWww });
        const one = { domain, error: error ?? "", isDoubted: true };
        if (error !== null) return json({ one, several: null }, { status: 400 });
      }
      const { body: added, status } = await call(createDomain, {
        body: { domain, ...(reference && { reference }), keepWww },
      });
      const www = added.normalisations.includes("www_removed") ? [WWW_REMOVED] : [];
      const isClaimed = !hasOwnPage(added);
      if (isClaimed) await ensureClaim(args.request, added.id);
      const known = status === 200 && !isClaimed ? ["known"] : [];
      return marked(`/domains/${added.id}`, [...known, ...www]);
    },
    ({ problem }, form) => {
      const one: TypedName = { domain: form?.get("domain") ?? "", error: problem.message };
      return { one, several: null };
    },
  );

export const action = (args: RouteArgs) =>
  new URL(args.request.url).searchParams.has("several") ? addLines(args) : addName(args);

const marked = (path: string, marks: string[]) =>
  marks.length > 0 ? `${path}?${marks.join("&")}` : path;

export const meta = () => [{ title: "Domains · Deed" }];

/** From how many domains on a list has tools to find one; a shorter one is read at a glance. */
const LONG = 10;

export default function DomainsPage() {
  const page = useLoaderData<typeof loader>();
  const { counts, current, typed, reference, older, deleted } = page;
  const { one: refused = null, several = null } = useLastAnswer<typeof action>() ?? {};
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  // Stays while the page is open, so that a domain added elsewhere does not fold away what was typed.
  const [isLong] = useState(total >= LONG);
  const isPart = current !== null || Boolean(typed || reference) || page.sort !== "newest";
  const add = (
    <AddName typed={refused ?? { domain: page.adding }} known={page.known} key={page.adding} />
  );
  const find = (
    <>
      <DomainFilters counts={counts} needing={page.needing} current={current} />
      <FindName key={`${typed} ${reference}`} typed={typed} reference={reference} />
      {current === null && !typed && !reference ? <DomainSorts current={page.sort} /> : null}
    </>
  );
  return (
    <Page
      title="Domains"
      lead={total === 0 ? "No domains yet. Type the domain you want to prove." : undefined}
    >
      {deleted === null ? null : (
        <p role="status" className="after">
          {deleted ? <DomainName ascii={deleted} unicode={deleted} /> : "The domain"} was deleted.
        </p>
      )}
      {isLong ? (
        <div className="tools">
          <Fold title="Add domain" open={refused !== null || page.adding !== ""}>
            {add}
          </Fold>
          <Fold title="Find, filter and sort" open={isPart}>
            {find}
          </Fold>
        </div>
      ) : (
        <>
          {add}
          {isPart ? find : null}
        </>
      )}
      {total === 0 ? null : (
        <div className="list">
          {page.domains.length > 0 ? (
            <DomainTable domains={page.domains} states={page.states} now={page.now} />
          ) : (
            <p className="soft">
              {older
                ? "No domain found among the newest; look at older ones, or type three characters."
                : `No domain found. ${page.paged ? "This is past the end of the list." : ""}`}
            </p>
          )}
          <Pager
            newest={page.paged ? (reference ? referencePath(reference) : "/domains") : null}
            older={older}
          />
          {isLong || isPart || counts.archived === 0 ? null : (
            <p className="sans">
              <Link to="/domains?archived=true">Archived domains</Link>
            </p>
          )}
        </div>
      )}
      <AddSeveral answer={several} />
    </Page>
  );
}
