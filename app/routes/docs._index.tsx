import { json, type MetaFunction } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { quickStart } from "#app/api/quick-start.server.ts";
import { Code, DocsNav, Prose } from "#app/components/docs/docs.tsx";
import type { PageHandle } from "#app/components/ui/handle.ts";
import { Entry, Page } from "#app/components/ui/page.tsx";
import { getApp } from "#app/http/app.server.ts";

export const handle: PageHandle = { script: false };
export const meta: MetaFunction = () => [{ title: "Quick start · Deed" }];

export const loader = () => json({ steps: quickStart(getApp()) });

export default function QuickStartPage() {
  const { steps } = useLoaderData<typeof loader>();
  return (
    <Page
      above={<DocsNav />}
      title="Quick start"
      lead="Prove a name, from reading its zone to a link anybody can open. Everything the screens do, the API does."
    >
      {steps.map(({ title, text, curl, fetch }) => (
        <Entry key={title} title={title}>
          <p>
            <Prose text={text} />
          </p>
          {curl ? <Code label={curl.split(" ", 1)[0] ?? ""}>{curl}</Code> : null}
          {fetch ? <Code label="In a page of this service">{fetch}</Code> : null}
        </Entry>
      ))}
      <Entry title="From here">
        <ul>
          <li>
            <Link to="/docs/api">Every endpoint</Link>, and{" "}
            <a href="/api/openapi.json">openapi.json</a>
          </li>
          <li>
            <Link to="/docs/errors">Every error</Link>
          </li>
          <li>
            <Link to="/docs/diagnoses">Every diagnosis, and every wait</Link>
          </li>
        </ul>
      </Entry>
    </Page>
  );
}
