import { DeedError } from "#app/core/errors.server.ts";
import { errorEntries } from "#app/features/docs/catalogue.server.ts";
import { Code, CopyCode, DocsPage, Prose } from "#app/features/docs/view/docs.tsx";
import { getApp } from "#app/http/app.server.ts";
import { envelope } from "#app/http/errors.server.ts";
import { useLoaderData } from "#app/remix/react.ts";
import { Entry, Facts } from "#app/ui/page.tsx";

export const handle = { scriptFile: true };

export const meta = () => [{ title: "Errors · Deed" }];

export const loader = () => ({
  entries: errorEntries(),
  example: envelope(new DeedError("claim_ended"), getApp().settings.docsUrl),
});

export default function ErrorsPage() {
  const { entries, example } = useLoaderData<typeof loader>();
  return (
    <DocsPage
      title="Errors"
      lead="Every error has the same form. Branch on the code; the message is for people and may be reworded."
    >
      <Entry title="Envelope">
        <CopyCode />
        <Code label="application/json">{JSON.stringify(example, null, 2)}</Code>
        <p>A diagnosis is not an error: it is a 200 that names what is wrong with a DNS record.</p>
      </Entry>
      {entries.map(({ code, status, message, retry }) => (
        <Entry key={code} title={code} id={code}>
          <p>{message}</p>
          <Facts
            rows={[
              ["Status", status],
              ["Try again", <Prose key="retry" text={retry} />],
            ]}
          />
        </Entry>
      ))}
    </DocsPage>
  );
}
