import { providerLinks } from "#app/features/docs/guides.ts";
import { DocsPage, Links } from "#app/features/docs/view/docs.tsx";
import { OPERATE } from "#app/features/docs/view/pages.ts";
import { CHECKED_BY } from "#app/features/proofs/view/proof-facts.tsx";
import { Link, useLoaderData } from "#app/remix/react.ts";
import { Entry } from "#app/ui/page.tsx";

export const meta = () => [{ title: "Docs · Deed" }];

export const loader = () => ({ providers: providerLinks() });

export default function DocsIndex() {
  const { providers } = useLoaderData<typeof loader>();
  return (
    <DocsPage
      title="Docs"
      lead="Deed shows that you control a domain: you add one TXT record to its DNS, Deed finds it, and you get a dated proof that anybody can open."
    >
      <Entry title="New here">
        <p>
          <Link to="/docs/what-is-this">What is this?</Link> Start here if somebody sent you a link
          to a record or a proof.
        </p>
      </Entry>
      <Entry title="Receipts">
        <ul>
          <li>
            <Link to="/docs/how-to-check">How to check a receipt</Link>: somebody gave you a
            receipt, and you want to know whether it is genuine
          </li>
          <li>
            <Link to="/docs/assurance">How a proof was checked</Link>:{" "}
            {Object.values(CHECKED_BY).join(", ")}
          </li>
          <li>
            <Link to="/docs/rules/deed-proof-3">The rule</Link> that proofs follow, and{" "}
            <Link to="/docs/rules/deed-dnssec-1">the rule where port 53 is blocked</Link>
          </li>
        </ul>
      </Entry>
      <Entry title="Your provider">
        <p>Where to click, what to type, how long it takes:</p>
        <Links links={providers} />
      </Entry>
      <Entry title="What went wrong">
        <p>
          <Link to="/docs/diagnoses">When the record is not found</Link>: what happened, how to see
          it, how to fix it.
        </p>
      </Entry>
      <Entry title="For programs">
        <ul>
          <li>
            <Link to="/docs/integrate">Build on Deed</Link>: ask in your own product whether a
            customer controls a domain, with two curl calls
          </li>
          <li>
            In <Link to="/docs/integrate/python">Python</Link>,{" "}
            <Link to="/docs/integrate/go">Go</Link> or{" "}
            <Link to="/docs/integrate/typescript">TypeScript</Link>, with a generated client, or
            without an installation with <Link to="/docs/integrate/dns">@deed/dns</Link>
          </li>
          <li>
            <Link to="/docs/handoffs">A ready-made screen for your customers</Link>
          </li>
          <li>
            <Link to="/docs/test-mode">Test mode</Link>: every outcome in seconds, without DNS
          </li>
          <li>
            <Link to="/docs/api">Every endpoint</Link>, <Link to="/docs/errors">every error</Link>,
            and <a href="/api/openapi.json">openapi.json</a>, also{" "}
            <a href="/api/openapi-3.0.json">in OpenAPI 3.0</a>
          </li>
        </ul>
      </Entry>
      <Entry title="For operators">
        <Links links={OPERATE} />
      </Entry>
    </DocsPage>
  );
}
