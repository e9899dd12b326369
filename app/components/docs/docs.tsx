import { NavLink } from "@remix-run/react";
import { Fragment, type ReactNode } from "react";

const PAGES = [
  ["/docs", "Quick start"],
  ["/docs/api", "Reference"],
  ["/docs/errors", "Errors"],
  ["/docs/diagnoses", "Diagnoses"],
] as const;

/** Links to the pages of the documentation, above each page's title. */
export function DocsNav() {
  return (
    <nav aria-label="Documentation" className="filters">
      {PAGES.map(([to, title]) => (
        <NavLink key={to} to={to} end>
          {title}
        </NavLink>
      ))}
    </nav>
  );
}

/** Text with `code` in backticks. */
export function Prose({ text }: { text: string }) {
  return (
    <>
      {[...text.matchAll(/`([^`]*)`|[^`]+/g)].map(({ 0: part, 1: code, index }) =>
        code === undefined ? (
          <Fragment key={index}>{part}</Fragment>
        ) : (
          <code key={index}>{code}</code>
        ),
      )}
    </>
  );
}

export function Code({ children, label }: { children: string; label: string }) {
  return (
    <figure>
      <figcaption className="label">{label}</figcaption>
      <pre>
        <code>{children}</code>
      </pre>
    </figure>
  );
}

/** A table with a heading row. */
export function Table({
  head,
  rows,
}: {
  head: string[];
  rows: { key: string; cells: ReactNode[] }[];
}) {
  return (
    <table>
      <thead>
        <tr>
          {head.map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, cells }) => (
          <tr key={key}>
            {cells.map((cell, index) => (
              <td key={head[index]}>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
