import { errorEntries } from "#app/features/docs/catalogue.server.ts";
import { Blocks, CopyCode, DocsPage, Prose } from "#app/features/docs/view/docs.tsx";
import { getApp } from "#app/http/app.server.ts";
import { useLoaderData } from "#app/remix/react.ts";
import { Entry, Facts, Fold } from "#app/ui/page.tsx";

export const handle = { scriptFile: true };

export const meta = () => [{ title: "Errors · Deed" }];

export const loader = () => ({ entries: errorEntries(getApp().settings) });

export default function ErrorsPage() {
  const { entries } = useLoaderData<typeof loader>();
  return (
    <DocsPage
      title="Errors"
      lead="Every error has the same form. Branch on the code; the message is for people and may be reworded. A diagnosis is not an error: it is a 200 answer that names what is wrong with a DNS record."
    >
      <Entry title="All codes">
        <ul className="plain objects">
          {entries.map(({ code, status }) => (
            <li key={code}>
              {status}{" "}
              <a href={`#${code}`} className="mono">
                {code}
              </a>
            </li>
          ))}
        </ul>
      </Entry>
      {entries.map(({ code, status, message, retry, blocks }) => (
        <Entry key={code} title={code} id={code}>
          <p>{message}</p>
          <Facts
            rows={[
              ["Status", status],
              ["Try again", <Prose key="retry" text={retry} />],
            ]}
          />
          <Fold title="Example">
            <Blocks blocks={blocks} />
          </Fold>
        </Entry>
      ))}
      <CopyCode />
    </DocsPage>
  );
}
