import { reference } from "#app/features/docs/reference.server.ts";
import { DocsPage } from "#app/features/docs/view/docs.tsx";
import { getApp } from "#app/http/app.server.ts";
import { Link, useLoaderData } from "#app/remix/react.ts";
import { Dotted } from "#app/ui/name.tsx";
import { Entry } from "#app/ui/page.tsx";

export const meta = () => [{ title: "API · Deed" }];

export function loader() {
  const { groups } = reference(getApp());
  return {
    groups: groups.map(({ name, slug, entries }) => ({
      name,
      slug,
      entries: entries.map(({ id, method, path, summary }) => ({ id, method, path, summary })),
    })),
  };
}

export default function ApiIndexPage() {
  const { groups } = useLoaderData<typeof loader>();
  return (
    <DocsPage
      title="API"
      lead="Programs can prove and watch domains, share proofs and manage an account. Administration has no endpoints. These pages are generated from the schemas of all requests and answers."
    >
      <Entry title="Start here">
        <ul>
          <li>
            <Link to="/docs/integrate">Build on Deed</Link>: the model, a proof with curl,{" "}
            <Link to="/docs/test-mode">test mode</Link>, and recipes
          </li>
          <li>
            <Link to="/docs/api/objects">Objects</Link>, field by field
          </li>
          <li>
            <Link to="/docs/errors">Errors</Link>, and what to do about each;{" "}
            <Link to="/docs/diagnoses">diagnoses and waits</Link>: why a record is not found
          </li>
          <li>
            <a href="/api/openapi.json">openapi.json</a> (OpenAPI 3.1), and{" "}
            <a href="/api/openapi-3.0.json">openapi-3.0.json</a> for generators that cannot read it
          </li>
        </ul>
        <p>
          A program identifies itself with an <Link to="/account/keys">API key</Link>:{" "}
          <code>Authorization: Bearer deed_key_…</code>. Each call says which scope it needs. A key
          has a budget for its calls; the headers <code className="whole">RateLimit-Policy</code>{" "}
          and <code>RateLimit</code> of each answer say what is left.
        </p>
        <p>
          Bodies are JSON. Every path also takes a trailing slash. Timestamps are ISO 8601 in UTC
          with milliseconds. Empty fields are null, never left out.
        </p>
      </Entry>
      {groups.map(({ name, slug, entries }) => (
        <Entry key={slug} title={name}>
          <ul className="plain calls">
            {entries.map(({ id, method, path, summary }) => (
              <li key={id} id={id}>
                <Link to={`/docs/api/${slug}#${id}`}>
                  <code>
                    {method} <Dotted name={path} />
                  </code>
                </Link>{" "}
                {summary}
              </li>
            ))}
          </ul>
        </Entry>
      ))}
    </DocsPage>
  );
}
