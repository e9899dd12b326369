import { Form, Link } from "@remix-run/react";
import { Fragment } from "react";
import { MAX_REFERENCE } from "#app/core/reference.ts";
import { Button } from "#app/ui/button.tsx";
import { Field } from "#app/ui/field.tsx";
import type { DomainCounts } from "../resources.ts";

const STATUSES = [
  ["pending", "open"],
  ["proved", "proved"],
  ["expired", "expired"],
  ["canceled", "canceled"],
  ["unclaimed", "not proved yet"],
] as const;

/** `current` is the active filter; null for all. */
export function DomainFilters({
  counts,
  needing,
  current,
}: {
  counts: DomainCounts;
  needing: { count: number; more: boolean };
  current: string | null;
}) {
  const all = STATUSES.reduce((sum, [status]) => sum + counts[status], 0);
  const ofStatus = (status: string, name: string, count: number) => ({
    name,
    to: `/domains?status=${status}`,
    count,
    on: current === status,
  });
  const needsYou = ofStatus("needs_you", "needs you", needing.count);
  const { archived } = counts;
  const filters = [
    ...(needsYou.count > 0 || needsYou.on ? [needsYou] : []),
    { name: "all", to: "/domains", count: all, on: current === null },
    ...STATUSES.map(([status, name]) => ofStatus(status, name, counts[status])),
    { name: "archived", to: "/domains?archived=true", count: archived, on: current === "archived" },
  ];
  return (
    <nav aria-label="Filter domains">
      <ul className="plain filters">
        {filters.map(({ name, to, count, on }) => (
          <li key={name}>
            <Link to={to} aria-current={on ? "page" : undefined}>
              {name}{" "}
              <span className="soft figures">
                {count.toLocaleString("en")}
                {name === needsYou.name && needing.more ? "+" : ""}
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

export function FindName({
  typed,
  reference,
}: {
  typed: string;
  /** Null if no domain of the account has one. */
  reference: string | null;
}) {
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
