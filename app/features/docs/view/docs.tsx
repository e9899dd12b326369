import { Link, NavLink } from "@remix-run/react";
import { type ComponentProps, Fragment } from "react";
import { Page } from "#app/ui/page.tsx";

const PAGES = [
  ["/docs", "Overview"],
  ["/docs/what-is-this", "What is this?"],
  ["/docs/how-to-check", "Receipts"],
  ["/docs/providers", "Providers"],
  ["/docs/diagnoses", "What went wrong"],
  ["/docs/integrate", "Build on it"],
  ["/docs/api", "API"],
  ["/docs/errors", "Errors"],
] as const;

/** A page of the documentation, with links to its parts above the title. */
export function DocsPage(page: Omit<ComponentProps<typeof Page>, "above">) {
  const nav = (
    <nav aria-label="Documentation" className="filters">
      {PAGES.map(([to, title], index) => (
        <Fragment key={to}>
          {index > 0 ? " " : null}
          <NavLink to={to} end={to === "/docs"}>
            {title}
          </NavLink>
        </Fragment>
      ))}
    </nav>
  );
  return <Page above={nav} {...page} />;
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

/** The text of a type, in which the names of objects are links. */
export function TypeText({ text }: { text: string }) {
  return (
    <>
      {text.split(/\b([A-Z][a-z]\w+)/).map((part, index) =>
        index % 2 === 0 ? (
          part
        ) : (
          <Link key={part} to={`/docs/api/objects#resource-${part}`}>
            {part}
          </Link>
        ),
      )}
    </>
  );
}

export function Code({ children, label }: { children: string; label?: string }) {
  return (
    <figure>
      {label ? <figcaption className="label">{label}</figcaption> : null}
      <pre>
        <code>{children}</code>
      </pre>
    </figure>
  );
}
