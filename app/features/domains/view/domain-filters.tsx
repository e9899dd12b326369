import { MAX_REFERENCE } from "#app/core/reference.ts";
import { Form, Link } from "#app/remix/react.ts";
import { ActionButton, Button } from "#app/ui/button.tsx";
import { Field } from "#app/ui/field.tsx";
import { capitalised } from "#app/ui/page.tsx";
import type { DomainCounts } from "../resources.ts";

/** A domain that is not archived is in "All" and in one other: "Action needed", or else that of its state. */
const FILTERS = [
  ["needs_you", "Action needed"],
  [null, "All"],
  ["pending", "In progress"],
  ["proved", "Proved"],
  ["expired", "Expired"],
  ["canceled", "Canceled"],
  ["unclaimed", "Not started"],
  ["archived", "Archived"],
] as const;

/** The list's address with these parts; null leaves a part out. */
export function listPath(parts: Record<string, string | null>): string {
  const filters = Object.entries(parts).flatMap(([name, text]) => (text ? [[name, text]] : []));
  return filters.length > 0 ? `/domains?${new URLSearchParams(filters)}` : "/domains";
}

export type Sort = "name" | null;
export type ListCounts = DomainCounts & Record<"all" | "needs_you", number>;
/** `isMore`: more domains may need action than were counted; `current`: the active filter, null for all. */
type DomainFiltersProps = {
  counts: ListCounts;
  isMore: boolean;
  current: string | null;
  sort: Sort;
};

export function DomainFilters({ counts, isMore, current, sort }: DomainFiltersProps) {
  const filters = FILTERS.map(([which, name]) => ({ which, name, count: counts[which ?? "all"] }));
  const hrefOf = (which: string | null) =>
    listPath({ ...(which === "archived" ? { archived: "true" } : { status: which }), sort });
  return (
    <nav aria-label="Filter domains">
      <ul className="plain filters">
        {filters
          .filter(({ which, count }) => which === null || count > 0 || which === current)
          .map(({ which, name, count }) => (
            <li key={name}>
              <Link to={hrefOf(which)} aria-current={which === current ? "page" : undefined}>
                {name}{" "}
                <span className="soft figures">
                  {count.toLocaleString("en")}
                  {which === "needs_you" && isMore ? "+" : ""}
                </span>
              </Link>
            </li>
          ))}
      </ul>
    </nav>
  );
}

/** `query`: the parts of the list's address to keep. */
type DomainOrderProps = { total: number | null; sort: Sort; query: Record<string, string | null> };

/** How many domains are listed, in which order, and links to the other order and, after a search, to all domains. */
export function DomainOrder({ total, sort, query }: DomainOrderProps) {
  const isSearch = Boolean(query.q || query.name);
  const isFound = isSearch || Boolean(query.reference);
  const count = `${total?.toLocaleString("en")} domain${total === 1 ? "" : "s"}`;
  const order = isSearch ? "newest first" : "those that need action first, then the newest";
  const parts = [
    total === null ? null : isFound ? `${count} found` : count,
    total === 1 ? null : sort ? "by name" : order,
  ];
  return (
    <p className={`row sans small${isFound ? "" : " apart"}`}>
      <span className="soft">{capitalised(parts.filter(Boolean).join(", "))}</span>{" "}
      {isFound ? <Link to="/domains">Clear</Link> : null}{" "}
      {isSearch || total === 1 ? null : (
        <Link to={listPath({ ...query, sort: sort ? null : "name" })}>
          {sort ? "Action needed first" : "Sort by name"}
        </Link>
      )}
    </p>
  );
}

/** `reference`: null if no domain of the account has one. */
type FindNameProps = { typed: string; reference: string | null };

export const FindName = ({ typed, reference, sort }: FindNameProps & { sort: Sort }) => (
  <Form method="get" action="/domains" className="line">
    {sort ? <input type="hidden" name="sort" value={sort} /> : null}
    <Field
      label="Find a domain"
      name="q"
      isMachineText
      defaultValue={typed}
      autoComplete="off"
      inputMode="url"
      maxLength={253}
    />
    {reference === null ? null : (
      <Field
        label="Reference"
        name="reference"
        defaultValue={reference}
        autoComplete="off"
        maxLength={MAX_REFERENCE}
      />
    )}
    <Button>Find</Button>
  </Form>
);

/** Why nothing is listed. `isMore`: some domains were not looked at yet. */
export const NoneFound = ({ typed, reference, isMore }: FindNameProps & { isMore: boolean }) => (
  <div className="stack">
    <p className="soft">
      {isMore ? "No domain found so far. Choose “Older” to search further." : "No domain found."}
    </p>
    <div className="row">
      <Link to="/domains" className="button">
        Clear
      </Link>
      {/\S\.\S/.test(typed) ? (
        <ActionButton
          intent="claim"
          action="/domains?index"
          fields={{ domain: typed, reference: reference ?? "" }}
        >
          Add {typed}
        </ActionButton>
      ) : null}
    </div>
  </div>
);
