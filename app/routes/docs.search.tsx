import { searchDocs } from "#app/features/docs/search.server.ts";
import { DocsPage } from "#app/features/docs/view/docs.tsx";
import { getApp } from "#app/http/app.server.ts";
import type { LoaderFunctionArgs } from "#app/remix/node.server.ts";
import { Link, useLoaderData } from "#app/remix/react.ts";
import { Button } from "#app/ui/button.tsx";
import { Field } from "#app/ui/field.tsx";
import { drawMatches } from "#app/ui/name.tsx";

export const meta = () => [
  { title: "Search the docs · Deed" },
  { name: "robots", content: "noindex" },
];

export function loader({ request }: LoaderFunctionArgs) {
  const query = (new URL(request.url).searchParams.get("q") ?? "").slice(0, 100);
  return { query, ...searchDocs(getApp(), query) };
}

export default function SearchPage() {
  const { query, count, results } = useLoaderData<typeof loader>();
  const escaped = query.trim().replace(/[^\w\s]/g, "\\$&");
  const words = new RegExp(`(${escaped.replace(/\s+/g, "|")})`, "i");
  const highlighted = (part: string) => drawMatches(part, words, (hit) => <mark>{hit}</mark>);
  const formatted = (text: string) =>
    drawMatches(text, /`([^`]*)`/, (code) => <code>{highlighted(code)}</code>, highlighted);
  return (
    <DocsPage title="Search the docs">
      <form className="line after">
        <Field label="Search for" name="q" type="search" defaultValue={query} required />
        <Button>Search</Button>
      </form>
      <p role="status">
        {query === "" ? null : count === 0 ? "Nothing found." : `${count} found.`}
        {count > results.length ? ` The first ${results.length} are shown.` : null}
      </p>
      <ul className="plain stack found">
        {results.map(({ to, title, excerpt }) => (
          <li key={to}>
            <Link to={to}>{formatted(title)}</Link>
            <div className="soft small">{formatted(excerpt)}</div>
          </li>
        ))}
      </ul>
    </DocsPage>
  );
}
