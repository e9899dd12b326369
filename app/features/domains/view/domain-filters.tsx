import { Fragment } from "react";
import { MAX_REFERENCE } from "#app/core/reference.ts";
import { Form, Link } from "#app/remix/react.ts";
import { Button } from "#app/ui/button.tsx";
import { Field } from "#app/ui/field.tsx";
import type { DomainCounts } from "../resources.ts";

const STATUSES = [
  ["pending", "In progress"],
  ["proved", "Proved"],
  ["expired", "Expired"],
  ["canceled", "Canceled"],
  ["unclaimed", "Not started"],
] as const;

type Needing = { count: number; more: boolean };
/** `current` is the active filter; null for all. */
type DomainFiltersProps = { counts: DomainCounts; needing: Needing; current: string | null };

export function DomainFilters({ counts, needing, current }: DomainFiltersProps) {
  const all = STATUSES.reduce((sum, [status]) => sum + counts[status], 0);
  const filters = [
    ["needs_you", "Action needed", needing.count],
    [null, "All", all],
    ...STATUSES.map(([status, name]) => [status, name, counts[status]] as const),
    ["archived", "Archived", counts.archived],
  ] as const;
  const hrefOf = (which: string | null) =>
    which === null
      ? "/domains"
      : `/domains?${which === "archived" ? "archived=true" : `status=${which}`}`;
  return (
    <nav aria-label="Filter domains">
      <ul className="plain filters">
        {filters
          .filter(([which, , count]) => which === null || count > 0 || which === current)
          .map(([which, name, count]) => (
            <li key={name}>
              <Link to={hrefOf(which)} aria-current={which === current ? "page" : undefined}>
                {name}{" "}
                <span className="soft figures">
                  {count.toLocaleString("en")}
                  {which === "needs_you" && needing.more ? "+" : ""}
                </span>
              </Link>
            </li>
          ))}
      </ul>
    </nav>
  );
}

const SORTS = ["newest", "name", "state"] as const;

export function DomainSorts({ current }: { current: (typeof SORTS)[number] }) {
  return (
    <nav aria-label="Sort domains">
      <ul className="plain filters">
        <li className="soft">Sort by</li>{" "}
        {SORTS.map((sort) => (
          <Fragment key={sort}>
            <li>
              <Link
                to={sort === "newest" ? "/domains" : `/domains?sort=${sort}`}
                aria-current={sort === current ? "true" : undefined}
              >
                {sort}
              </Link>
            </li>{" "}
          </Fragment>
        ))}
      </ul>
    </nav>
  );
}

/** `reference`: null if no domain of the account has one. */
export function FindName({ typed, reference }: { typed: string; reference: string | null }) {
  return (
    <Form method="get" action="/domains" className="line">
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
}
