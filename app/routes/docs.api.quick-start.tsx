import { useLoaderData } from "@remix-run/react";
import { quickStart } from "#app/features/docs/quick-start.server.ts";
import { Code, DocsPage, Prose } from "#app/features/docs/view/docs.tsx";
import { getApp } from "#app/http/app.server.ts";
import { Entry } from "#app/ui/page.tsx";

export const meta = () => [{ title: "Quick start · Deed" }];

export const loader = () => ({ steps: quickStart(getApp()) });

export default function QuickStartPage() {
  const { steps } = useLoaderData<typeof loader>();
  return (
    <DocsPage
      title="Quick start"
      lead="Prove a domain with the API, from the first look at its DNS to a link that anybody can open."
    >
      {steps.map(({ title, text, curl, fetch }) => (
        <Entry key={title} title={title}>
          <p>
            <Prose text={text} />
          </p>
          {curl ? <Code label={curl.split(" ", 1)[0] ?? ""}>{curl}</Code> : null}
          {fetch ? <Code label="JavaScript, on your server">{fetch}</Code> : null}
        </Entry>
      ))}
    </DocsPage>
  );
}
