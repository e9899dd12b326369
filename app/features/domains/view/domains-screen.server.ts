import type { Context } from "#app/core/context.server.ts";
import { DeedError } from "#app/core/errors.server.ts";
import { readDomainQuery } from "../api.server.ts";
import { knownNames } from "../domain-rows.server.ts";
import { hasReferences, listDomains } from "../domains.server.ts";
import type { ListedDomain } from "../resources.ts";
import { needsYou, openStates, shownDomain } from "./open-states.server.ts";

const FILTERS = ["name", "q", "reference", "status", "archived", "cursor", "limit"];
const SORTS = ["name", "state"] as const;
/** Maximum number of domains from later pages that lead the first one because they need somebody. */
const MAX_LEADING = 25;
const MAX_KNOWN = 12;

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

/** What the page's address asks of the list. Throws invalid_request. */
function queryIn(given: URLSearchParams) {
  const query = new URLSearchParams(
    [...given].filter(([name, value]) => FILTERS.includes(name) && value.trim() !== ""),
  );
  const reference = query.get("reference")?.trim() ?? null;
  if (reference !== null) query.set("reference", reference);
  const isNeedsYou = query.get("status") === "needs_you";
  if (isNeedsYou) query.delete("status");
  const sort = SORTS.find((order) => order === given.get("sort"));
  return { query, reference, isNeedsYou, sort };
}

/** The list as its page shows it. `error`: what is wrong with the name in the address; then no domain is listed. */
export async function domainsScreen(ctx: Context, accountId: string, given: URLSearchParams) {
  const { query, reference, isNeedsYou, sort } = queryIn(given);
  let error: string | null = null;
  const list = async () => listDomains(ctx, accountId, { ...readDomainQuery(query), sort });
  const { counts, domains, nextCursor } = await list().catch((thrown) => {
    if (!(thrown instanceof DeedError && thrown.code === "invalid_domain")) throw thrown;
    error = thrown.message;
    return listDomains(ctx, accountId, { limit: 1 });
  });
  const older = new URLSearchParams(query);
  if (nextCursor) older.set("cursor", nextCursor);
  if (sort) older.set("sort", sort);
  // A list by state goes on where its page ended.
  if (sort === "state") older.set("status", domains.at(-1)?.status ?? "");
  const needing = needsYou(ctx, accountId);
  const isFirst = [...query.keys()].every((name) => name === "limit");
  const ranked = sort === "name" ? domains : needsYouFirst(domains, needing.domains, isFirst);
  const shown = isNeedsYou ? needing.domains : ranked;
  const isArchived = query.get("archived") === "true";
  const filter = isArchived ? "archived" : sort ? null : query.get("status");
  const adding = given.get("add") ?? "";
  return {
    counts,
    needing: { count: needing.domains.length, more: needing.more },
    domains: error ? [] : shown.map(shownDomain),
    states: openStates(ctx, shown),
    current: isNeedsYou ? "needs_you" : filter,
    sort: sort ?? ("newest" as const),
    reference: hasReferences(ctx, accountId) ? (reference ?? "") : reference,
    typed: given.get("q") ?? given.get("name") ?? "",
    error,
    adding,
    known: knownNames(ctx, accountId, adding, MAX_KNOWN),
    older: nextCursor && !error && !isNeedsYou ? `/domains?${older}` : null,
    paged: query.has("cursor"),
    deleted: deletedName(given.get("deleted")),
  };
}
