import { Entry } from "../ui/page.tsx";

/** The three assurance words: what was seen, and what an attacker must control to get such a receipt untruly. */
export function Assurance() {
  return (
    <>
      <Entry id="dnssec" title="dnssec">
        <p>
          <strong>The record was signed, up to the root of DNS</strong>, and the receipt has all the
          signatures. You need not believe the installation that the record was there: your verifier
          checks them against the keys of the root, which it already has.
        </p>
        <p>
          <strong>To forge it</strong>, somebody must control the keys of the domain’s zone, its
          registrar, its registry or the root. Having the installation’s key is not enough.
        </p>
        <p>
          The signatures are valid for some time, usually one or two weeks. The exact moment within
          it, and who had been given the token, are the installation’s word.
        </p>
      </Entry>
      <Entry id="witnessed" title="witnessed">
        <p>
          <strong>
            Every nameserver that answered had the record, and so had every independent resolver
            that was asked.
          </strong>{" "}
          Most domains are not signed, so this is the best they can get.
        </p>
        <p>
          <strong>To forge it</strong>, somebody must control the installation or its key; the
          domain’s nameservers, registrar or registry; or the way to the nameservers both from the
          installation and from every resolver.
        </p>
        <p>
          The resolvers sign nothing: that they agreed is the installation’s word, signed with its
          key. Whose key it is, you have to know.
        </p>
      </Entry>
      <Entry id="nameservers" title="nameservers">
        <p>
          <strong>
            Every nameserver that answered had the record. Either no independent resolver was asked,
            or most had the record and at least one did not.
          </strong>{" "}
          The receipt says which.
        </p>
        <p>
          <strong>To forge it</strong>, somebody must control what <code>witnessed</code> needs,
          with most of the resolvers in place of all. If none was asked, the network between the
          installation and the nameservers is enough.
        </p>
      </Entry>
      <Entry title="What no word says">
        <p>
          That control lasted any longer than the moment; that the holder owns a company or a name
          in law; anything about subdomains. <a href="/docs/rules/deed-proof-1">The rule</a> says
          what was looked for, and <a href="/docs/how-to-check">How to check this</a> how you check
          a receipt.
        </p>
      </Entry>
    </>
  );
}
