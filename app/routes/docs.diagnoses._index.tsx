import { WAITS } from "#app/features/docs/catalogue.server.ts";
import { diagnosisLinks } from "#app/features/docs/guides.ts";
import { DocsPage, Prose } from "#app/features/docs/view/docs.tsx";
import { Link, useLoaderData } from "#app/remix/react.ts";
import { Entry } from "#app/ui/page.tsx";

export const meta = () => [{ title: "What went wrong · Deed" }];

/** A wait that is also a diagnosis is listed with the waits, with a link to its page. */
export function loader() {
  const links = diagnosisLinks();
  const waits = Object.entries(WAITS).map(([reason, words]) => {
    return { reason, ...words, to: links.find(({ code }) => code === reason)?.to };
  });
  return { diagnoses: links.filter(({ code }) => !(code in WAITS)), waits };
}

export default function DiagnosesPage() {
  const { diagnoses, waits } = useLoaderData<typeof loader>();
  return (
    <DocsPage
      title="What went wrong"
      lead="When Deed does not find the record, it says why. Each cause has a page: what happened, how to fix it, how to see it yourself."
    >
      <Entry title="Causes">
        <ul>
          {diagnoses.map(({ code, to, title, closer }) => (
            <li key={code} id={code}>
              <Link to={to}>{title}</Link> <code className="soft">{code}</code>
              {closer.length > 0 ? <div className="small">Or: {closer.join("; ")}.</div> : null}
            </li>
          ))}
        </ul>
      </Entry>
      <Entry title="Only waiting">
        <p>Nothing is wrong, and nothing needs to be done:</p>
        <dl className="stack">
          {waits.map(({ reason, title, meaning, to }) => (
            <div key={reason} id={`wait-${reason}`}>
              <dt id={reason}>
                {to ? <Link to={to}>{title}</Link> : title} <code className="soft">{reason}</code>
              </dt>
              <dd>{meaning}</dd>
            </div>
          ))}
        </dl>
      </Entry>
      <Entry title="In the API">
        <p>
          A verification that is not proved has either a diagnosis (something about the record is
          wrong) or a wait (nothing is wrong, but DNS has not caught up), never both.
        </p>
        <p>
          <Prose text="In `observed` of a `nameserver_sync`, `nameservers` are those that answer without the record or a delegation of its name, and `noAnswer` are those that do not answer. With `secondRead`, a second check decides." />
        </p>
      </Entry>
    </DocsPage>
  );
}
