import type { Context } from "#app/core/context.server.ts";
import { cursorAfter } from "#app/core/cursor.ts";
import { DeedError } from "#app/core/errors.server.ts";
import { bareName } from "#app/core/names/domain-name.ts";
import { isReference } from "#app/core/reference.ts";
import { readDomainQuery } from "../api.server.ts";
import { knownNames, type ListedRow } from "../domain-rows.server.ts";
import { type DomainQuery, domainPage, hasReferences } from "../domains.server.ts";
import { listPath } from "./domain-filters.tsx";
import { domainsNeedingAction, shownDomain } from "./open-states.server.ts";

const FILTERS = ["name", "q", "reference", "status", "archived", "cursor", "limit"];
/** The most domains that need action at the top of the list. */
const MAX_LEADING = 200;
const MAX_KNOWN = 12;

/** Reads the deleted domain in the page's address; null if none was deleted. */
function deletedIn(given: URLSearchParams) {
  const [name = "", customer = ""] = [given.get("deleted") ?? "", given.get("customer") ?? ""];
  if (!/^[a-z0-9_.-]{1,253}$/.test(name)) return null;
  return { name, reference: isReference(customer) ? customer : null };
}

/** Reads the query of the list in the page's address. Throws invalid_request. */
function queryIn(ctx: Context, given: URLSearchParams) {
  const query = new URLSearchParams(
    [...given].filter(([name, value]) => FILTERS.includes(name) && value.trim() !== ""),
  );
  const reference = query.get("reference")?.trim() ?? null;
  if (reference !== null) query.set("reference", reference);
  const q = query.get("q");
  if (q !== null) query.set("q", bareName(q, ctx.settings.challengeLabel));
  const isNeedsYou = query.get("status") === "needs_you";
  if (isNeedsYou) query.delete("status");
  const isSearch = ["name", "q"].some((name) => query.has(name));
  // The index for searches is sorted newest first.
  const sort = given.get("sort") === "name" && !isSearch ? ("name" as const) : null;
  return { query, reference, isNeedsYou, isSearch, sort };
}

const cursorOf = (row: ListedRow | undefined) => (row ? cursorAfter(row.domain) : null);

/** Reads a page of the list, with cursors of the pages around it. `before` is the cursor of the next page's first domain. */
async function pageOf(ctx: Context, accountId: string, asked: DomainQuery, before: string | null) {
  if (before) {
    const backward = { ...asked, cursor: before, isBackward: true };
    const { rows, counts, nextCursor } = await domainPage(ctx, accountId, backward);
    // Without a page before it, this is part of the first page.
    if (nextCursor) return { rows, counts, newer: nextCursor, older: cursorOf(rows.at(-1)) };
  }
  const query = before ? { ...asked, cursor: undefined } : asked;
  const { rows, counts, nextCursor } = await domainPage(ctx, accountId, query);
  const newer = query.cursor ? (cursorOf(rows[0]) ?? query.cursor) : null;
  return { rows, counts, newer, older: nextCursor };
}

/** Returns the list for its page. `error` says what is wrong with the name in the address; then no domain is listed. */
export async function domainsScreen(ctx: Context, accountId: string, given: URLSearchParams) {
  const { query, reference, isNeedsYou, isSearch, sort } = queryIn(ctx, given);
  const needingAction = await domainsNeedingAction(ctx, accountId);
  if (sort) needingAction.domains.sort((a, b) => Number(a.name > b.name) - Number(a.name < b.name));
  const status = query.get("status");
  const isArchived = query.get("archived") === "true";
  const hasLeading = !sort && !isSearch && !isArchived && !status;
  const leading = needingAction.domains
    .filter((one) => hasLeading && (reference === null || one.reference === reference))
    .slice(0, MAX_LEADING);
  let error: string | null = null;
  const list = async () => {
    const except = (status ? needingAction.domains : leading).map(({ id }) => id);
    const pageQuery = { ...readDomainQuery(query), sort: sort ?? undefined, except };
    return pageOf(ctx, accountId, pageQuery, given.get("before"));
  };
  const page = await list().catch((thrown) => {
    if (!(thrown instanceof DeedError && thrown.code === "invalid_domain")) throw thrown;
    error = thrown.message;
    return pageOf(ctx, accountId, { limit: 1 }, null);
  });
  const { newer, older } = page;
  const { archived: _, ...open } = page.counts;
  const all = Object.values(open).reduce((sum, count) => sum + count, 0);
  const counts = { ...page.counts, all, needs_you: needingAction.domains.length };
  for (const one of needingAction.domains) counts[one.status] -= 1;
  const listedRows = [...(newer ? [] : leading), ...page.rows.map((row) => shownDomain(ctx, row))];
  const shownRows = error ? [] : isNeedsYou ? needingAction.domains : listedRows;
  const adding = given.get("add") ?? "";
  const keptQuery = Object.fromEntries([...query].filter(([name]) => name !== "cursor"));
  const pathTo = (name: string, cursor: string | null) =>
    cursor && !error && !isNeedsYou ? listPath({ ...keptQuery, sort, [name]: cursor }) : null;
  const hasTotal = reference === null && !isSearch;
  const current = isNeedsYou ? "needs_you" : isArchived ? "archived" : status;
  return {
    counts,
    isMore: needingAction.more,
    domains: shownRows,
    current,
    sort,
    query: isNeedsYou ? { status: "needs_you" } : keptQuery,
    total: hasTotal
      ? counts[(current ?? "all") as keyof typeof counts]
      : newer || older
        ? null
        : shownRows.length,
    reference: hasReferences(ctx, accountId) ? (reference ?? "") : reference,
    typed: given.get("q") ?? given.get("name") ?? "",
    error,
    adding,
    known: knownNames(ctx, accountId, adding, MAX_KNOWN),
    newer: pathTo("before", newer),
    older: pathTo("cursor", older),
    deleted: deletedIn(given),
  };
}
