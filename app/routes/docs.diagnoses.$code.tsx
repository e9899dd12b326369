import { diagnosisPage } from "#app/features/docs/guides.ts";
import { Code, CopyCode, DocsPage, Prose } from "#app/features/docs/view/docs.tsx";
import { getApp } from "#app/http/app.server.ts";
import { orNotFound } from "#app/http/page-errors.server.ts";
import type { LoaderFunctionArgs } from "#app/remix/node.server.ts";
import { Link, useLoaderData } from "#app/remix/react.ts";
import { Entry, titled } from "#app/ui/page.tsx";
import { Table } from "#app/ui/table.tsx";

export const handle = { scriptFile: true };
export const meta = titled<typeof loader>((data) => data.page.title);

export const loader = ({ params }: LoaderFunctionArgs) => ({
  page: orNotFound(diagnosisPage(params.code ?? "", getApp().settings)),
});

export default function DiagnosisPage() {
  const { page } = useLoaderData<typeof loader>();
  const { title, happened, lessons, steps, atProviders, meaning, example } = page;
  return (
    <DocsPage title={title} lead={happened}>
      <Entry title="How to fix it">
        <ol>
          {steps.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
      </Entry>
      {atProviders.length > 0 ? (
        <Entry title="At each provider">
          <p>These examples are for acme.com. Your claim’s page shows your own values.</p>
          <Table
            rows={atProviders}
            columns={{
              Provider: ({ to, title }) => <Link to={to}>{title}</Link>,
              "What to do": ({ fix }) => <Prose text={fix} />,
            }}
          />
        </Entry>
      ) : null}
      <Entry title="See it yourself">
        <p>
          <code>dig</code> asks DNS from a terminal. macOS has it; on Debian and Ubuntu it is in the
          package bind9-dnsutils, on Fedora in bind-utils.
        </p>
        {lessons.map(({ command, answer, means }) => (
          <div key={command} className="stack">
            <Code>{`$ ${command}\n${answer || "(dig prints nothing)"}`}</Code>
            <p>{means}</p>
          </div>
        ))}
      </Entry>
      <Entry title="In the API">
        <p>
          <Prose text={meaning} />
        </p>
        <p className="label">GET /api/verifications/&lt;id&gt;, in its diagnosis</p>
        <Code>{JSON.stringify(example, null, 2)}</Code>
      </Entry>
      <CopyCode />
    </DocsPage>
  );
}
