import { Entry } from "../ui/page.tsx";

const BR = "https://cabforum.org/working-groups/server/baseline-requirements/documents/";

/** Several vantages: what they add to a proof, and where they fall short of what certificate authorities must do. */
export function SeveralVantages() {
  return (
    <>
      <Entry title="What “Read from 2 places” says">
        <p>
          An installation of several machines can read DNS from more than one region. When one
          machine finds the record, another one elsewhere repeats the whole read. The proof is made
          only if both find it. The proof page and the receipt name the regions, the one that
          decided first; the operator chose the names.
        </p>
        <p>
          If the two see different things, nothing is proved: Deed keeps both observations and reads
          again later. A proof without this line was read from one place.
        </p>
      </Entry>
      <Entry title="What it protects against">
        <p>
          Somebody who leads the traffic of one machine astray, by a false route (BGP) or on the
          machine’s own network, can answer in place of the domain’s nameservers there. They now
          need to do that at two places at once. To choose the second place, they would need to know
          a secret of the installation.
        </p>
        <p>
          It does not protect against those who control the nameservers, the registrar or the
          registry, nor against the installation. That two places agreed is the installation’s word,
          signed with its key. So <a href="/docs/assurance">the assurance words</a> stay as they
          are: they say how much you must believe the installation, and a vantage of its own changes
          nothing about that.
        </p>
      </Entry>
      <Entry title="Beside the rules for certificates">
        <p>
          Certificate authorities must do this under the name Multi-Perspective Issuance
          Corroboration, section 3.2.2.9 of the <a href={BR}>Baseline Requirements</a> of the
          CA/Browser Forum (here version 2.2.6, of March 2026). Deed uses its idea: a primary
          network perspective decides, a remote one corroborates, and neither uses what the other
          saw. It falls short of it:
        </p>
        <ul>
          <li>
            <strong>Number.</strong> The requirements ask for at least four remote perspectives
            since 15 June 2026, and five from 15 December 2026. Deed asks one.
          </li>
          <li>
            <strong>Quorum.</strong> With two to five remote perspectives, one may fail to
            corroborate. With Deed’s one, none may: it must agree.
          </li>
          <li>
            <strong>Distance.</strong> Perspectives must be 500 km apart, and those that corroborate
            in the regions of at least two Regional Internet Registries. Deed compares the names of
            regions, and believes the operator.
          </li>
          <li>
            <strong>Resolvers.</strong> Theirs must be 500 km apart too. Deed’s nodes ask the
            nameservers themselves; the resolvers asked as witnesses are often the same on all
            nodes.
          </li>
          <li>
            <strong>Channel.</strong> It must be authenticated and encrypted. Between Deed’s nodes
            it is authenticated, with a fresh nonce in each question; it is encrypted only if the
            operator’s private network is.
          </li>
          <li>
            <strong>When the others are gone.</strong> A certificate must not be issued then. Deed
            waits for about a minute, and then makes proofs from one place, which say so.
          </li>
          <li>
            <strong>Hardening, logs and audits</strong> of the perspectives are the operator’s
            affair.
          </li>
        </ul>
      </Entry>
      <Entry title="If two places keep disagreeing">
        <p>
          Right after a change this is usual: many providers answer from many machines under one
          address (anycast), and not all of them have the record at once. Wait. If it lasts for
          hours, look the record up from several networks, and ask your DNS provider whether it is
          published everywhere, or answers differently by region.
        </p>
      </Entry>
    </>
  );
}
