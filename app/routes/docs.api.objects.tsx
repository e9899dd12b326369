import { reference } from "#app/features/docs/reference.server.ts";
import { DocsPage, Prose } from "#app/features/docs/view/docs.tsx";
import { getApp } from "#app/http/app.server.ts";
import { useLoaderData } from "#app/remix/react.ts";
import { Entry } from "#app/ui/page.tsx";
import { Table } from "#app/ui/table.tsx";

export const meta = () => [{ title: "Objects · API · Deed" }];

export const loader = () => ({ resources: reference(getApp()).resources });

export default function ObjectsPage() {
  const { resources } = useLoaderData<typeof loader>();
  return (
    <DocsPage title="Objects" lead="What the API answers, field by field.">
      {resources.map(({ name, description, rows, text }) => (
        <Entry key={name} title={name} id={`resource-${name}`}>
          {description ? <p>{description}</p> : null}
          {text ? <p className="mono">{text}</p> : null}
          <Table
            rows={rows}
            columns={{
              Field: ({ name }) => <code>{name}</code>,
              Type: ({ type }) => type,
              "": ({ description }) => <Prose text={description} />,
            }}
          />
        </Entry>
      ))}
    </DocsPage>
  );
}
