import { errorEntries } from "#app/features/docs/catalogue.server.ts";
import { Blocks, CopyCode, DocsPage, Prose } from "#app/features/docs/view/docs.tsx";
import { getApp } from "#app/http/app.server.ts";
import { useLoaderData } from "#app/remix/react.ts";
import { Entry, Fold } from "#app/ui/page.tsx";

export const handle = { scriptFile: true };

export const meta = () => [{ title: "Errors · Deed" }];

export const loader = () => ({ entries: errorEntries(getApp().settings) });

export default function ErrorsPage() {
  const { entries } = useLoaderData<typeof loader>();
  return (
    <DocsPage
      title="Errors"
      lead="Every error has the same form. Branch on the code; the message is for people and may be reworded. Unless it says when to try again, the same request fails again. A diagnosis is not an error: it is a 200 answer that names what is wrong with a DNS record."
    >
      <Fold title="All codes">
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
      </Fold>
      {entries.map(({ code, status, text, blocks }) => (
        <Entry
          key={code}
          id={code}
          title={
            <>
              {status} <code>{code}</code>
            </>
          }
        >
          <p>
            <Prose text={text} />
          </p>
          <Fold title="Example">
            <Blocks blocks={blocks} />
          </Fold>
        </Entry>
      ))}
      <CopyCode />
    </DocsPage>
  );
}
