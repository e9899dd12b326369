import { Fragment } from "react";
import { encode } from "uqr";
import type { Lookalike } from "#app/core/names/lookalike.ts";
import type { ProofWatch } from "#app/features/watching/resources.ts";
import { PROVIDER_NAMES } from "#app/features/zones/view/zone.tsx";
import { Seal } from "#app/ui/frame.tsx";
import { DomainName, Dotted } from "#app/ui/name.tsx";
import { Facts, Fold, Notice, StateWord } from "#app/ui/page.tsx";
import { Moment } from "#app/ui/time.tsx";
import type { ProofScreen, ProofWitness, ReceiptSummary } from "../proofs.server.ts";
import type { PublishedProof } from "../resources.ts";

const WHY: Partial<Record<ProofWatch["state"], string>> = {
  moved: ", and the domain’s nameservers are all others",
  gone: ", and the registry lists no nameservers for the domain",
};

function Watched({ watch: { state, seenAt, missingSince } }: { watch: ProofWatch }) {
  return (
    <p>
      {missingSince === null
        ? "The record was last seen on "
        : "The record has been missing since "}
      <Moment at={missingSince ?? seenAt} />
      {missingSince === null ? "" : WHY[state]}.
    </p>
  );
}

function LookalikeWarning({ lookalike, ascii }: { lookalike: Lookalike; ascii: string }) {
  return (
    <Notice tone="needs" title="Look twice at this domain">
      <p>
        {lookalike.type === "mixed_scripts" ? (
          <>
            A part of it mixes letters of several scripts ({lookalike.scripts.join(", ")}). No
            language does this, but an imitation might.
          </>
        ) : (
          <>
            Its letters look like those of <code>{lookalike.ascii}</code>, which is another domain.
          </>
        )}{" "}
        What was proved is exactly <code>{ascii}</code>.
      </p>
    </Notice>
  );
}

const DNSSEC_TEXT: Record<ReceiptSummary["dnssec"], string> = {
  secure: "the receipt has every signature from the root of DNS to the record",
  insecure: "the domain is not signed with DNSSEC",
  indeterminate: "the signatures of DNSSEC could not be followed",
};

type Server = ReceiptSummary["nameservers"][number];

const serverText = ({ asked, answered, held }: Server): string =>
  held
    ? "had the record"
    : answered
      ? "did not have the record"
      : asked
        ? "did not answer"
        : "was not asked";

const over = (transport: Server["transport"]) =>
  transport ? `, over ${transport.toUpperCase()}` : "";

function ServersAsked({ receipt: { nameservers, witnesses } }: { receipt: ReceiptSummary }) {
  return (
    <div className="screen-only">
      <Fold title="What each server answered">
        <ul className="plain stack small">
          {nameservers.map((server) => (
            <li key={server.name}>
              <bdi className="mono">{server.name}</bdi>
              {server.address ? ` (${server.address})` : ""} {serverText(server)}
              {over(server.transport)}
            </li>
          ))}
          {witnesses.map(({ name, agreed, ad, transport }) => (
            <li key={name}>
              Resolver {name} {agreed ? "had the record" : "did not have the record"}
              {over(transport)}
              {agreed && ad ? ", and found it signed" : ""}
            </li>
          ))}
        </ul>
      </Fold>
    </div>
  );
}

const resolversText = ({ witnesses, witnessesWithToken }: ProofWitness): string =>
  witnesses > 0 ? `${witnessesWithToken} of ${witnesses} had the record` : "none were asked";

function ProofFacts({ screen: { proof, witness, receipt } }: { screen: ProofScreen }) {
  const { nameservers, recency } = proof;
  const provider = PROVIDER_NAMES[proof.provider ?? ""];
  return (
    <Facts
      rows={[
        ["TXT record", <code key="record">{proof.challengeHost}</code>],
        ["Token", <code key="token">{proof.token}</code>],
        nameservers && [
          "Nameservers",
          `${nameservers.answered} of ${nameservers.delegated} answered, ${nameservers.holding} had the record`,
        ],
        receipt?.nameservers.length === 0
          ? [
              "Nameservers",
              <a key="rule" href="/docs/rules/deed-dnssec-1">
                none could be asked
              </a>,
            ]
          : null,
        witness && ["Resolvers", resolversText(witness)],
        receipt
          ? [
              "Rests on",
              <Fragment key="word">
                <a href={`/docs/assurance#${receipt.assurance}`}>{receipt.assurance}</a>:{" "}
                {DNSSEC_TEXT[receipt.dnssec]}
              </Fragment>,
            ]
          : witness?.authenticated
            ? ["DNSSEC", "signature valid"]
            : null,
        provider ? ["DNS provider", provider] : null,
        [
          "Later proofs",
          recency.type === "latest" ? (
            "none known here"
          ) : (
            <Moment key="later" at={recency.latestProvedAt} />
          ),
        ],
        receipt && ["Signing key", <code key="key">{receipt.thumbprint}</code>],
        ["This page", <code key="url">{proof.url}</code>],
      ]}
    />
  );
}

/** The dark modules as one path of horizontal strokes: a third of a path of squares. */
function strokes(rows: boolean[][]): string {
  const runs: string[] = [];
  for (const [y, row] of rows.entries())
    for (let x = 0; x < row.length; x += 1) {
      const from = x;
      while (row[x]) x += 1;
      if (x > from) runs.push(`M${from} ${y}h${x - from}`);
    }
  return runs.join("");
}

/** A QR code of an address, in black with its quiet zone. */
function QrCode({ url }: { url: string }) {
  // Every mask can be read; looking for the best one takes ten times as long as the rest of the code.
  const { data, size } = encode(url, { ecc: "M", maskPattern: 2, border: 4 });
  return (
    <svg
      className="qr"
      viewBox={`0 -0.5 ${size} ${size}`}
      role="img"
      aria-label="QR code of the address of this page"
      shapeRendering="crispEdges"
    >
      <path d={strokes(data)} stroke="#000" />
    </svg>
  );
}

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

function WhatItSays({ screen: { proof, vouchedBy, tokenPrefix } }: { screen: ProofScreen }) {
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
        {vouchedBy
          ? `The identity provider ${vouchedBy} vouched for the address.`
          : "The holder answered a mail that Deed sent to the address."}{" "}
        A genuine token is <code>{tokenPrefix}</code> followed by 40 digits of 0–9 and a–f. The
        record may have been deleted since: it is no longer needed. This page does not ask DNS.
      </p>
    </section>
  );
}

type Said = Pick<PublishedProof, "provedAt" | "heldBy" | "domain" | "unicodeDomain">;

export function ProofSentence({ proof }: { proof: Said }) {
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
  const { proof, watch, receipt, renderedAt, lookalike } = screen;
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
      <ProofFacts screen={screen} />
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
