import { type ReferenceEntry, reference } from "#app/features/docs/reference.server.ts";
import { Blocks, CopyCode, DocsPage, Prose, TypeText } from "#app/features/docs/view/docs.tsx";
import { getApp } from "#app/http/app.server.ts";
import { orNotFound } from "#app/http/page-errors.server.ts";
import { type LoaderFunctionArgs, redirect } from "#app/remix/node.server.ts";
import { Link, NavLink, useLoaderData } from "#app/remix/react.ts";
import { Dotted } from "#app/ui/name.tsx";
import { Fold, titled } from "#app/ui/page.tsx";
import { Table } from "#app/ui/table.tsx";

export const handle = { scriptFile: true };

export const meta = titled<typeof loader>((data) => `${data.group.name} · API`);

export function loader({ params }: LoaderFunctionArgs) {
  const { groups } = reference(getApp());
  const group = groups.find(({ slug }) => slug === params.section);
  if (params.section === "quick-start") throw redirect("/docs/integrate", 301);
  return { group: orNotFound(group), groups: groups.map(({ name, slug }) => ({ name, slug })) };
}

export default function ApiSectionPage() {
  const { group, groups } = useLoaderData<typeof loader>();
  const { name, entries, posted } = group;
  const parts = entries.map(({ id, summary }) => [id, summary]);
  parts.push(...posted.map(({ label }) => [label, label]));
  return (
    <DocsPage
      title={name}
      lead="Each example is a real request and answer, with other ids and secrets. Long lists and values are shortened."
    >
      <CopyCode />
      <div className="indexed">
        <nav aria-label="API" className="index">
          <ul className="plain">
            {groups.map((section) => (
              <li key={section.slug} className={section.slug === group.slug ? "" : "elsewhere"}>
                <NavLink to={`/docs/api/${section.slug}`}>{section.name}</NavLink>
                {section.slug === group.slug ? (
                  <ul className="plain">
                    {parts.map(([id, text]) => (
                      <li key={id}>
                        <a href={`#${id}`}>{text}</a>
                      </li>
                    ))}
                  </ul>
                ) : null}
              </li>
            ))}
            <li>
              <Link to="/docs/api">The whole API</Link>
            </li>
          </ul>
        </nav>
        <div>
          {entries.map((entry) => (
            <Operation key={entry.id} entry={entry} />
          ))}
          {posted.map(({ meaning, ...block }) => (
            <section key={block.label} className="operation" id={block.label}>
              <h2>{block.label}</h2>
              <p>{meaning}.</p>
              <Blocks blocks={[{ ...block, label: "Body" }]} />
            </section>
          ))}
        </div>
      </div>
    </DocsPage>
  );
}

function Operation({ entry }: { entry: ReferenceEntry }) {
  return (
    <section className="operation" id={entry.id}>
      <h2>{entry.summary}</h2>
      <div className="stack">
        <p>
          <code>
            {entry.method} <Dotted name={entry.path} />
          </code>
        </p>
        <p>
          {entry.access} <Prose text={entry.description} />
        </p>
        <Table
          rows={entry.fields}
          columns={{
            Parameter: ({ name }) => <code className="whole">{name}</code>,
            In: ({ location, required }) => `${location}${required ? ", required" : ""}`,
            Type: ({ type, description }) => (
              <Prose text={description ? `${type}. ${description}` : type} />
            ),
          }}
        />
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
      </div>
      <div className="stack">
        <Blocks blocks={entry.example} />
        {entry.refusals.length > 0 ? (
          <Fold title="Examples of its errors">
            <Blocks blocks={entry.refusals} />
          </Fold>
        ) : null}
      </div>
    </section>
  );
}
