import { json, type MetaFunction } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { type ReferenceEntry, reference } from "#app/api/reference.server.ts";
import { DocsNav, Prose, Table } from "#app/components/docs/docs.tsx";
import type { PageHandle } from "#app/components/ui/handle.ts";
import { Entry, Page } from "#app/components/ui/page.tsx";
import { getApp } from "#app/http/app.server.ts";

export const handle: PageHandle = { script: false };
export const meta: MetaFunction = () => [{ title: "API reference · Deed" }];

export const loader = () => json(reference(getApp()));

export default function ReferencePage() {
  const { groups, resources } = useLoaderData<typeof loader>();
  return (
    <Page
      above={<DocsNav />}
      title="API reference"
      lead="Made from the schemas that check every request and shape every answer."
    >
      <Entry title="In every call">
        <p>
          Bodies are JSON. Every path also takes a trailing slash. Timestamps are ISO 8601 in UTC
          with milliseconds. What may be empty is present as null. The same as a machine reads it:{" "}
          <a href="/api/openapi.json">openapi.json</a> (OpenAPI 3.1).
        </p>
      </Entry>
      {groups.map(({ name, entries }) => (
        <Entry key={name} title={name}>
          {entries.map((entry) => (
            <EndpointEntry key={entry.id} entry={entry} />
          ))}
        </Entry>
      ))}
      {resources.map(({ name, description, rows, text }) => (
        <Entry key={name} title={name} id={`resource-${name}`}>
          {description ? <p>{description}</p> : null}
          {text ? <p className="mono">{text}</p> : null}
          {rows.length > 0 ? (
            <Table
              head={["Field", "Type", ""]}
              rows={rows.map((row) => ({
                key: row.name,
                cells: [<code key="name">{row.name}</code>, row.type, row.description],
              }))}
            />
          ) : null}
        </Entry>
      ))}
    </Page>
  );
}

function EndpointEntry({ entry }: { entry: ReferenceEntry }) {
  const fields = [
    ...entry.parameters,
    ...entry.body.map((field) => ({ ...field, location: "body" })),
  ];
  return (
    <article id={entry.id} className="stack">
      <h3>
        <code>
          {entry.method} {entry.path}
        </code>
      </h3>
      <p>
        {entry.summary}. {entry.access} <Prose text={entry.description} />
      </p>
      {fields.length > 0 ? (
        <Table
          head={["Parameter", "In", "Type", "Required"]}
          rows={fields.map((field) => ({
            key: `${field.location} ${field.name}`,
            cells: [
              <code key="name">{field.name}</code>,
              field.location,
              field.description ? `${field.type}. ${field.description}` : field.type,
              field.required ? "yes" : "no",
            ],
          }))}
        />
      ) : null}
      <Table
        head={["Status", "Answer"]}
        rows={entry.responses.map(({ status, contentText }) => ({
          key: status,
          cells: [status, contentText],
        }))}
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
    </article>
  );
}
