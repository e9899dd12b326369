import { type ComponentProps, Fragment } from "react";
import { Link, NavLink } from "#app/remix/react.ts";
import { drawMatches } from "#app/ui/name.tsx";
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
  ["/docs/search", "Search"],
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

export const Links = ({ links }: { links: readonly { to: string; title: string }[] }) => (
  <ul>
    {links.map(({ to, title }) => (
      <li key={to}>
        <Link to={to}>{title}</Link>
      </li>
    ))}
  </ul>
);

/** Text with `code` in backticks. */
export const Prose = ({ text }: { text: string }) =>
  drawMatches(text, /`([^`]*)`/, (code) => <code>{code}</code>);

/** The text of a type, in which the names of objects are links. */
export const TypeText = ({ text }: { text: string }) =>
  drawMatches(text, /\b([A-Z][a-z]\w+)/, (name) => (
    <Link to={`/docs/api/objects#resource-${name}`}>{name}</Link>
  ));

/** Puts a button on every block of code that copies it. The route has `scriptFile`. */
export const CopyCode = () => <script src="/copy-code.js" defer />;

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
