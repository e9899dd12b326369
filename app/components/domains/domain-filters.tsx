import { Form, Link } from "@remix-run/react";
import type { DomainCounts } from "#app/services/resources.ts";
import { Button } from "../ui/button.tsx";
import { Field } from "../ui/field.tsx";

const LISTED = ["pending", "proved", "expired", "canceled", "unclaimed"] as const;

const FILTER_NAMES: Record<(typeof LISTED)[number], string> = {
  pending: "open",
  proved: "proved",
  expired: "expired",
  canceled: "canceled",
  unclaimed: "not proved yet",
};

/** The list's filters as links with counts. `current` is the active filter; null for all. */
export function DomainFilters({
  counts,
  current,
}: {
  counts: DomainCounts;
  current: string | null;
}) {
  const all = LISTED.reduce((sum, status) => sum + counts[status], 0);
  const filters = [
    { name: "all", to: "/domains", count: all, on: current === null },
    ...LISTED.map((status) => ({
      name: FILTER_NAMES[status],
      to: `/domains?status=${status}`,
      count: counts[status],
      on: current === status,
    })),
    {
      name: "archived",
      to: "/domains?archived=true",
      count: counts.archived,
      on: current === "archived",
    },
  ];
  return (
    <nav aria-label="Filter domains">
      <ul className="plain filters">
        {filters.map(({ name, to, count, on }) => (
          <li key={name}>
            <Link to={to} aria-current={on ? "page" : undefined}>
              {name} <span className="soft figures">{count.toLocaleString("en")}</span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** Finds domains by any part of their names, archived or not. */
export function FindName({ typed }: { typed: string }) {
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
      <Button>Find</Button>
    </Form>
  );
}
