import type { AddressVouching } from "#app/services/proofs/address-vouching.server.ts";
import type { PublishedProof } from "#app/services/resources.ts";
import type { ProofScreen } from "#app/services/screens/proof-screen.server.ts";
import { DomainName, Dotted } from "../ui/name.tsx";
import { Notice } from "../ui/notice.tsx";
import { Seal } from "../ui/seal.tsx";
import { StateWord } from "../ui/state.tsx";
import { Moment } from "../ui/time.tsx";
import { LookalikeWarning } from "./lookalike-warning.tsx";
import { ProofFacts } from "./proof-facts.tsx";
import { QrCode } from "./qr-code.tsx";
import { ServersAsked } from "./receipt.tsx";
import { Watched } from "./watched.tsx";

const vouchingText = (vouching: AddressVouching | null): string =>
  vouching?.by === "provider"
    ? `The identity provider ${vouching.host} vouched for the address.`
    : "The holder answered a mail that Deed sent to the address.";

/** What a reader who knows nothing of DNS can do to believe the page, or not. */
function HowToCheck({ screen: { proof, receipt } }: { screen: ProofScreen }) {
  return (
    <section className="stack">
      <h2>How to check this page</h2>
      <QrCode url={proof.url} />
      {receipt ? (
        <p className="row screen-only">
          <a href={`/api/proofs/${proof.slug}/receipt`} className="button" download>
            Download the signed receipt
          </a>{" "}
          <a href="/verify">Check it</a>
        </p>
      ) : (
        <p>This proof is from before Deed signed receipts, so it has none.</p>
      )}
      <ol>
        {receipt ? (
          <li>
            Download its signed receipt, which can be checked without this page, offline and years
            later. <a href="/docs/how-to-check">How to check it</a>.
          </li>
        ) : null}
        <li>
          Look at the address bar: it must begin with <code>{`${new URL(proof.url).origin}/`}</code>
          , and you must trust the people who run that site
          {receipt?.assurance === "dnssec" ? ", if you have not checked the receipt" : ""}.
        </li>
        <li>
          Read the domain letter by letter, and the date: this page speaks about that domain at that
          moment, not about today.
        </li>
        <li>
          Ask the person who sent you the link to write to you from{" "}
          <bdi className="mono">{proof.heldBy}</bdi>, because anyone can forward a link.
        </li>
      </ol>
    </section>
  );
}

function WhatItSays({ screen: { proof, vouching, tokenPrefix } }: { screen: ProofScreen }) {
  return (
    <section className="stack">
      <h2>What this says, and what it does not</h2>
      <p>
        At that moment, the person who asked Deed for this token was able to put it into the DNS of
        exactly this domain. It says nothing about subdomains or other domains, about any time
        since, or about who owns a company or a trade mark.
      </p>
      <p>
        This page shows the holder’s address as <bdi className="mono">{proof.heldBy}</bdi>.{" "}
        {vouchingText(vouching)} A genuine token is <code>{tokenPrefix}</code> followed by 40 digits
        of 0–9 and a–f. The record may have been deleted since: it is no longer needed. This page
        does not ask DNS.
      </p>
    </section>
  );
}

/** Who proved control of what, and when. Shared with the example on the home page. */
export function ProofSentence({
  proof,
}: {
  proof: Pick<PublishedProof, "provedAt" | "heldBy" | "domain" | "unicodeDomain">;
}) {
  return (
    <>
      On{" "}
      <strong>
        <Moment at={proof.provedAt} />
      </strong>{" "}
      the holder of{" "}
      <strong>
        <bdi>
          <Dotted name={proof.heldBy} />
        </bdi>
      </strong>{" "}
      proved control of the DNS of{" "}
      <strong>
        <DomainName ascii={proof.domain} unicode={proof.unicodeDomain} />
      </strong>
      .
    </>
  );
}

/** A published proof as a document: one moment, one domain, how to check it, and what it does not say. */
export function ProofDocument({ screen }: { screen: ProofScreen }) {
  const { proof, witness, watch, receipt, renderedAt, lookalike } = screen;
  const { recency } = proof;
  return (
    <article className="deed">
      <div className="kicker">
        <span className="row">
          <Seal /> Proof of control
        </span>{" "}
        <span className="row">
          <StateWord tone="proved" word="valid link" />{" "}
          {recency.type === "earlier" ? (
            <StateWord tone="waiting" word="proved again later" />
          ) : null}
        </span>
      </div>
      <h1>
        <ProofSentence proof={proof} />
      </h1>
      {watch ? <Watched watch={watch} /> : null}
      {recency.type === "earlier" ? (
        <Notice tone="waiting" title="A later proof of this domain exists">
          <p>
            The domain was proved again on{" "}
            <strong>
              <Moment at={recency.latestProvedAt} />
            </strong>
            , by this holder or another. What this page says about its own date stays true.
          </p>
        </Notice>
      ) : null}
      {lookalike ? <LookalikeWarning lookalike={lookalike} ascii={proof.domain} /> : null}
      <ProofFacts proof={proof} witness={witness} receipt={receipt} />
      <div className="stack-wide">
        {receipt ? <ServersAsked receipt={receipt} /> : null}
        <HowToCheck screen={screen} />
        <WhatItSays screen={screen} />
        <p className="row apart small sans soft">
          <span className="row screen-only">
            <a href="/docs/what-is-this">What is this?</a>{" "}
            <a href={`/api/proofs/${proof.slug}`}>The same as JSON</a>
          </span>{" "}
          <span>
            Page made on <Moment at={renderedAt} />
          </span>
        </p>
      </div>
    </article>
  );
}
