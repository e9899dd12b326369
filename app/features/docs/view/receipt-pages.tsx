import type { ComponentType } from "react";
import { Entry } from "#app/ui/page.tsx";
import { Code } from "./docs.tsx";
import { ProofRule1 } from "./proof-rule.tsx";

/** For somebody who was handed a receipt, first without a command line. */
function HowToCheck({ thumbprint }: { thumbprint: string }) {
  return (
    <>
      <Entry title="In your browser">
        <ol>
          <li>
            Get the file. Were you given a link instead? Open it and choose “Download the signed
            receipt”. A picture, a printout or a copy of the text cannot be checked.
          </li>
          <li>
            Open <a href="/verify">the page that checks receipts</a> and choose the file. Your
            browser does the checking and sends nothing. The same page on any other installation of
            Deed gives the same answer, and you can save it and use it offline.
          </li>
          <li>
            Read the domain letter by letter, and the moment. A receipt speaks about that moment and
            never about today.
          </li>
          <li>
            Read <a href="/docs/assurance">the assurance word</a>. With <code>dnssec</code>, the
            domain’s own signatures show that the record was there. With the other two, you believe
            the installation that signed.
          </li>
          <li>
            Find out whose key signed: compare the thumbprint with the one that the installation’s
            operator gives you, or that you noted earlier. Anyone can run an installation, and call
            it what they like.
          </li>
          <li>
            Find out who the holder is. The receipt has only part of the address. Ask the person to
            write to you from it; or ask for the opening, 22 characters that the holder sees beside
            the proof. With the opening and the whole address, the page says whether they belong
            together.
          </li>
        </ol>
      </Entry>
      <Entry title="With the command">
        <Code>{`$ deed verify receipt.json --key <thumbprint>
$ deed verify receipt.json --key jwks.json --require dnssec
$ deed verify receipt.json --key jwks.json --holder mara@acme.com --opening <opening>`}</Code>
        <p>
          It needs no network. It ends with 0 if the receipt is good, 1 if it is bad, 2 if it was
          called wrongly, and 3 if nothing is wrong but the receipt is weaker than you ask: less
          than <code>--require</code>, or without a <code>--key</code> to compare. It accepts only
          the keys you name: a thumbprint, or a saved <code>jwks.json</code>. With{" "}
          <code>--json</code> it writes for programs. With <code>--online</code> and the proof link,
          and only then, it asks the installation whether the link is still shared.
        </p>
      </Entry>
      <Entry title="For later years">
        <p>
          Keep three things: the receipt; the thumbprint of the key, noted on a day when you trusted
          the installation; and the saved page, or the command. Together they work offline, and
          after the installation has gone.
        </p>
        <p>
          This installation signs with the key <code>{thumbprint}</code>. It lists that key and
          those of earlier years at <a href="/.well-known/jwks.json">/.well-known/jwks.json</a>,
          where <code>kid</code> is the thumbprint.
        </p>
      </Entry>
      <Entry title="What a good receipt does not say">
        <ul>
          <li>
            That the holder still controls the domain. Ask for a new proof if it matters. A link
            that was revoked later takes nothing from a receipt about its moment.
          </li>
          <li>That the holder is a certain person or company, or owns a name in law.</li>
          <li>
            Anything about subdomains or other domains.{" "}
            <a href="/docs/rules/deed-proof-1">The rule</a> says what was checked.
          </li>
          <li>That the person who sent you the file is its holder: a file can be copied.</li>
        </ul>
      </Entry>
    </>
  );
}

/** The three assurance words: what was seen, and what an attacker must control to get such a receipt untruly. */
function Assurance() {
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

/** The pages about receipts, by their path below /docs. */
const PAGES: Partial<
  Record<string, { title: string; lead: string; Text: ComponentType<{ thumbprint: string }> }>
> = {
  "how-to-check": {
    title: "How to check this",
    lead: "You were handed a receipt: a small file which says that somebody controlled a domain at a certain moment. You can check it without asking anybody.",
    Text: HowToCheck,
  },
  assurance: {
    title: "What a proof rests on",
    lead: "Each receipt has one of three words for how much of it you must believe the installation that signed it.",
    Text: Assurance,
  },
  "rules/deed-proof-1": {
    title: "The rule deed-proof/1",
    lead: "What one read of DNS must find before an installation makes a proof. This page never changes.",
    Text: ProofRule1,
  },
};

export const pageAt = (path = "") => (Object.hasOwn(PAGES, path) ? PAGES[path] : undefined);
