import { type ProviderPage as Guide, providerPage } from "#app/features/docs/guides.ts";
import { DocsPage, Links } from "#app/features/docs/view/docs.tsx";
import { getApp } from "#app/http/app.server.ts";
import { orNotFound } from "#app/http/page-errors.server.ts";
import type { LoaderFunctionArgs } from "#app/remix/node.server.ts";
import { useLoaderData } from "#app/remix/react.ts";
import { Entry, Facts, titled } from "#app/ui/page.tsx";

export const meta = titled<typeof loader>((data) => data.page.title);

export const loader = ({ params }: LoaderFunctionArgs) => ({
  page: orNotFound(providerPage(params.id ?? "", getApp().settings)),
});

const nameText = ({ appends, fields: { host } }: Guide): string =>
  ({
    always: `The form adds your domain to what you type in ${host}. Type only the part before your domain, or the domain will be in the name twice.`,
    unless_there: `The form adds your domain to what you type in ${host}, unless it is there already. The short form and the full name both work.`,
    unknown: `Most panels add your domain to what you type in ${host}. If the list of records then shows it twice, edit the record and leave the domain out; if it shows no domain at all, type the full name.`,
  })[appends];

const valueText = ({ quotes, fields: { value } }: Guide): string =>
  ({
    wanted: `Type quotation marks around the value in ${value}: the form asks for them, and they do not become part of it.`,
    syntax: `No quotation marks are needed in ${value}. If you type a pair around the value, it does no harm.`,
    kept: `Type no quotation marks in ${value}: they may become part of the value, and then the value is wrong.`,
  })[quotes];

const ALL_DIAGNOSES = { to: "/docs/diagnoses", title: "Everything that can go wrong" };

export default function ProviderPage() {
  const { page } = useLoaderData<typeof loader>();
  const { title, way, add, save, fields, examples, groupsValues, publishing, ttl, help, mistakes } =
    page;
  const isKnown = page.id !== "other";
  return (
    <DocsPage
      title={isKnown ? `Add the record at ${title}` : "Add the record at another provider"}
      lead={nameText(page)}
    >
      <Entry title="Where to click">
        <ol>
          {way.map((step) => (
            <li key={step}>{step}</li>
          ))}
          <li>{add ? `Press ${add} and choose TXT.` : "Add a record of type TXT."}</li>
          <li>Fill in the fields as below.</li>
          <li>{save ? `Press ${save}.` : "Save."}</li>
        </ol>
      </Entry>
      <Entry title="What to type">
        <Facts
          rows={[
            [fields.type, <code key="type">TXT</code>],
            [fields.host, <code key="host">{examples[0]?.host}</code>],
            [fields.value, <code key="value">{page.value}</code>],
            ["TTL", ttl ?? "Leave it as it is."],
          ]}
        />
        <p>
          This is an example for acme.com. Your claim’s page has your own name and value, with
          buttons to copy them. A subdomain needs more in {fields.host}:
        </p>
        <ul>
          {examples.map(({ domain, host, name }) => (
            <li key={domain}>
              for {domain}, <code>{host}</code> makes the record <code>{name}</code>
            </li>
          ))}
        </ul>
        <p>{valueText(page)}</p>
        {groupsValues ? (
          <p>
            If a TXT record with this name already exists, add the value to that record as one more
            line: there cannot be two records with the same name and type.
          </p>
        ) : null}
      </Entry>
      <Entry title="How long it takes">
        <p>
          {publishing
            ? `${title} usually publishes a saved record on all its nameservers within ${publishing}. `
            : "Most providers publish a saved record on all their nameservers within minutes, some within an hour. "}
          Deed checks automatically and emails you once the record is found.
        </p>
        <p>
          The TTL does not delay a new record. It matters when you correct one: resolvers keep the
          old value for that long.
        </p>
      </Entry>
      <Entry title="If it goes wrong">
        <Links links={[...mistakes, ALL_DIAGNOSES]} />
        {help ? (
          <p>
            <a href={help}>{title}’s own instructions</a>. If the panel looks different, follow the
            panel.
          </p>
        ) : null}
      </Entry>
    </DocsPage>
  );
}
