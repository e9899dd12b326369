import { json, type MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { Code, DocsNav, Prose } from "#app/components/docs/docs.tsx";
import type { PageHandle } from "#app/components/ui/handle.ts";
import { Entry, Facts, Page } from "#app/components/ui/page.tsx";
import {
  type DiagnosisEntry,
  diagnosisEntries,
  waitEntries,
} from "#app/services/screens/catalogue.server.ts";

export const handle: PageHandle = { script: false };
export const meta: MetaFunction = () => [{ title: "Diagnoses · Deed" }];

export const loader = () => json({ diagnoses: diagnosisEntries(), waits: waitEntries() });

const AWAITS = {
  claimant: "claimant: whoever edits the zone",
  provider: "provider: the DNS host",
  registrar: "registrar: where the name is registered",
  resolvers: "resolvers: nobody, only time",
} satisfies Record<DiagnosisEntry["example"]["awaits"], string>;

export default function DiagnosesPage() {
  const { diagnoses, waits } = useLoaderData<typeof loader>();
  return (
    <Page
      above={<DocsNav />}
      title="Diagnoses"
      lead="While a verification is not proved it carries a diagnosis (something about the record is wrong) or a wait (nothing is, and DNS has not caught up): exactly one of the two."
    >
      {diagnoses.map(({ code, title, meaning, example }) => (
        <Entry key={code} title={code} id={code}>
          <h3>{title}</h3>
          <p>
            <Prose text={meaning} />
          </p>
          <Facts
            rows={[
              ["Cause, for one", example.cause],
              ["Fix", example.fix],
              ["Who acts", AWAITS[example.awaits]],
            ]}
          />
          <Code label="As the API shows it">{JSON.stringify(example, null, 2)}</Code>
        </Entry>
      ))}
      {waits.map(({ reason, title, meaning }) => (
        <Entry key={reason} title={`Wait: ${reason}`} id={`wait-${reason}`}>
          <h3>{title}</h3>
          <p>{meaning}</p>
        </Entry>
      ))}
    </Page>
  );
}
