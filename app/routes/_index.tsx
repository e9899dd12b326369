import { PasteForm } from "#app/features/checks/view/record-form.tsx";
import { NameSearch } from "#app/features/domains/view/name-search.tsx";
import { SampleProof } from "#app/features/proofs/view/sample-proof.tsx";
import { getApp } from "#app/http/app.server.ts";
import { useLoaderData } from "#app/remix/react.ts";
import { Fold } from "#app/ui/page.tsx";

export const loader = () => ({ label: getApp().settings.challengeLabel });

export default function Home() {
  return (
    <main id="main" tabIndex={-1} className="wide landing">
      <div className="opening">
        <div>
          <h1>Prove that you control a domain</h1>
          <p className="lead">Add one TXT record. Deed finds it, or names the mistake.</p>
          <section className="card">
            <h2>Start with your domain</h2>
            <p className="hint">Checking needs no account.</p>
            <NameSearch typed="" />
          </section>
          <section className="stack more">
            <h2>Another service cannot find your record?</h2>
            <PasteForm />
          </section>
        </div>
        <div className="stack">
          <SampleProof label={useLoaderData<typeof loader>().label} />
          <h2 className="label">In four steps</h2>
          <ol className="steps">
            <li>Check the domain.</li>
            <li>Add one record.</li>
            <li>Deed emails you.</li>
            <li>Share the proof.</li>
          </ol>
        </div>
      </div>
      <Fold title="What a proof says">
        <p>
          At one moment, the holder of an email address controlled the DNS of one domain. A proof
          says nothing about companies, trademarks, subdomains or any later time. A link to it can
          be revoked. Its signed receipt can be checked without us, offline and years later.
        </p>
      </Fold>
    </main>
  );
}
