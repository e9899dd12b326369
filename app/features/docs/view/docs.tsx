import { type ComponentProps, Fragment } from "react";
import { Link, useLocation } from "#app/remix/react.ts";
import { Dotted, drawMatches } from "#app/ui/name.tsx";
import { Page } from "#app/ui/page.tsx";
import { Pre } from "#app/ui/pre.tsx";

/** Each part with its first page, and a pattern for its pages' paths after /docs/. */
const PARTS = [
  ["/docs", "Overview", /^$/],
  ["/docs/search", "Search", /^search/],
  ["/docs/what-is-this", "What is this?", /^what-is-this/],
  ["/docs/how-to-check", "Receipts", /^(how-to-check|assurance|rules)/],
  ["/docs/providers", "Providers", /^providers/],
  ["/docs/diagnoses", "What went wrong", /^diagnoses/],
  ["/docs/integrate", "Build on it", /^(integrate|handoffs|test-mode)/],
  ["/docs/api", "API", /^api/],
  ["/docs/errors", "Errors", /^errors/],
  ["/docs/operate/install", "Operate", /^operate/],
] as const;

export function DocsPage(page: Omit<ComponentProps<typeof Page>, "above">) {
  const path = useLocation().pathname.replace(/^\/docs\/?/, "");
  const nav = (
    <nav aria-label="Documentation" className="filters">
      {PARTS.map(([to, title, paths], index) => (
        <Fragment key={to}>
          {index > 0 ? " " : null}
          <Link to={to} aria-current={paths.test(path) ? "page" : undefined}>
            {title}
          </Link>
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
  drawMatches(text, /`([^`]*)`/, (code) => (
    <code>
      <Dotted name={code} />
    </code>
  ));

export const TypeText = ({ text }: { text: string }) =>
  drawMatches(text, /\b([A-Z][a-z]\w+)/, (name) => (
    <Link to={`/docs/api/objects#resource-${name}`}>{name}</Link>
  ));

/** Adds a copy button to every block of code. The route needs `scriptFile`. */
export const CopyCode = () => <script src="/copy-code.js" defer />;

export const Code = ({ children, label }: { children: string; label?: string }) => (
  <figure>
    {label ? <figcaption className="label">{label}</figcaption> : null}
    <Pre>
      <code>{children}</code>
    </Pre>
  </figure>
);

export const Blocks = ({ blocks }: { blocks: { label: string; text: string }[] }) =>
  blocks.map(({ label, text }) =>
    text ? (
      <Code key={label} label={label}>
        {text}
      </Code>
    ) : (
      <p key={label}>
        <strong className="label">{label}</strong> No body
      </p>
    ),
  );
