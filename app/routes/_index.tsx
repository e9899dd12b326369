import { Link } from "@remix-run/react";
import { NameSearch } from "#app/features/domains/view/name-search.tsx";
import { SampleProof } from "#app/features/proofs/view/sample-proof.tsx";
import { Entry } from "#app/ui/page.tsx";

export default function Home() {
  return (
    <main id="main" tabIndex={-1} className="wide landing">
      <div className="opening">
        <div>
          <h1>Prove that a domain is yours</h1>
          <p className="lead">
            Add one TXT record to its DNS. Deed finds it, tells you what is wrong if it cannot, and
            gives you a dated page to share.
          </p>
          <NameSearch typed="" />
          <p className="hint">
            Shows where its DNS is managed. No account needed, and nothing is changed.
          </p>
        </div>
        <SampleProof />
      </div>
      <Entry title="How it works">
        <ol className="steps">
          <li>
            <strong>Check your domain.</strong> See who manages its DNS and what to type there.
          </li>
          <li>
            <strong>Add one record.</strong> Copy its name and value into your provider’s DNS page.
          </li>
          <li>
            <strong>Close the page.</strong> Deed checks automatically for seven days and emails you
            when the record is found, or what to fix.
          </li>
          <li>
            <strong>Share the proof.</strong> A link that anyone can open, and you can revoke. Its
            signed receipt can be checked without us, offline and years later.
          </li>
        </ol>
      </Entry>
      <Entry title="Without an account">
        <ul className="steps">
          <li>
            <Link to="/zones">See any domain’s DNS</Link>: its provider, its nameservers, and how
            long changes take.
          </li>
          <li>
            Read a proof that somebody sent you, and add a record that somebody asked you for.
          </li>
          <li>
            <Link to="/docs">Read the documentation</Link>. You need an account only to prove a
            domain.
          </li>
        </ul>
      </Entry>
      <Entry title="What a proof says">
        <p>
          That at one moment, the holder of an email address controlled the DNS of one domain. It
          says nothing about companies, trade marks, subdomains or any later time.
        </p>
      </Entry>
    </main>
  );
}
