import { type ReferenceEntry, reference } from "#app/features/docs/reference.server.ts";
import { DocsPage, Prose, TypeText } from "#app/features/docs/view/docs.tsx";
import { getApp } from "#app/http/app.server.ts";
import { orNotFound } from "#app/http/page-errors.server.ts";
import { type LoaderFunctionArgs, redirect } from "#app/remix/node.server.ts";
import { Link, useLoaderData } from "#app/remix/react.ts";
import { Entry, titled } from "#app/ui/page.tsx";
import { Table } from "#app/ui/table.tsx";

export const meta = titled<typeof loader>((data) => `${data.group.name} · API`);

export function loader({ params }: LoaderFunctionArgs) {
  const group = reference(getApp()).groups.find(({ slug }) => slug === params.section);
  if (params.section === "quick-start") throw redirect("/docs/integrate", 301);
  return { group: orNotFound(group) };
}

export default function ApiSectionPage() {
  const { name, entries } = useLoaderData<typeof loader>().group;
  return (
    <DocsPage title={name} lead={<Link to="/docs/api">All of the API</Link>}>
      {entries.map((entry) => (
        <EndpointEntry key={entry.id} entry={entry} />
      ))}
    </DocsPage>
  );
}

function EndpointEntry({ entry }: { entry: ReferenceEntry }) {
  return (
    <Entry id={entry.id} title={entry.summary}>
      <p>
        <code>
          {entry.method} {entry.path}
        </code>
      </p>
      <p>
        {entry.access} <Prose text={entry.description} />
      </p>
      {entry.fields.length > 0 ? (
        <Table
          rows={entry.fields}
          columns={{
            Parameter: ({ name }) => <code>{name}</code>,
            In: ({ location }) => location,
            Type: ({ type, description }) => (description ? `${type}. ${description}` : type),
            Required: ({ required }) => (required ? "yes" : "no"),
          }}
        />
      ) : null}
      <Table
        rows={entry.responses}
        columns={{
          Status: ({ status }) => status,
          Answer: ({ contentText }) => <TypeText text={contentText} />,
        }}
      />
      <p className="small">
        Errors:{" "}
        {entry.errors.map((code, index) => (
          <span key={code}>
            {index > 0 ? ", " : ""}
            <Link to={`/docs/errors#${code}`}>{code}</Link>
          </span>
        ))}
      </p>
    </Entry>
  );
}
