import type { Lookalike } from "#app/core/names/lookalike.ts";
import { WatchSummary } from "#app/features/watching/view/watched.tsx";
import { DomainName, Dotted } from "#app/ui/name.tsx";
import { Fold, Notice } from "#app/ui/page.tsx";
import { QrCode } from "#app/ui/qr-code.tsx";
import { Moment } from "#app/ui/time.tsx";
import type { ProofScreen } from "../proofs.server.ts";
import type { PublishedProof } from "../resources.ts";
import { type CheckTools, ProofCheck, ProofVerdict, type VerdictProps } from "./proof-check.tsx";
import { answersText, CHECKED_BY, ProofFacts, ServersAsked } from "./proof-facts.tsx";
import { ProofHead, proofState } from "./proof-head.tsx";
import { qrOf } from "./qr-code.ts";

const LookalikeWarning = ({ lookalike, ascii }: { lookalike: Lookalike; ascii: string }) => (
  <Notice tone="needs" title="Look closely at this domain">
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

/** Whether we know anything about the domain since the proof. */
const isFollowed = ({ watch, trouble }: ProofScreen) => watch !== null || trouble !== null;

function HowToCheck({ screen }: { screen: ProofScreen }) {
  const { proof, receipt } = screen;
  return (
    <Fold title="How to check it yourself">
      {receipt ? (
        <>
          <p>
            The signed receipt can be checked without this page, offline and years later.{" "}
            <a href="/docs/how-to-check">How to check it</a>.
          </p>
          <p className="row screen-only">
            <a href={`/api/proofs/${proof.slug}/receipt`} className="button" download>
              Download the signed receipt
            </a>{" "}
            <a href="/verify">Check a receipt</a>
          </p>
        </>
      ) : null}
      <ol className="steps">
        <li>
          Look at the address bar: it must begin with <code>{`${new URL(proof.url).origin}/`}</code>
          , and you must trust the people who run that site
          {receipt?.assurance === "dnssec" ? ", if you have not checked the receipt" : ""}.
        </li>
        <li>
          Compare the whole domain, and the date.{" "}
          {isFollowed(screen)
            ? "The top of this page says what Deed has seen since."
            : "This page is about that domain at that moment, not about today."}
        </li>
        <li>
          Ask the person who sent you the link to write to you from{" "}
          <bdi className="mono address">{proof.heldBy}</bdi>, because anyone can forward a link.
        </li>
      </ol>
    </Fold>
  );
}

function WhatProofSays({ screen }: { screen: ProofScreen }) {
  const { proof, fate, isConfirmed, vouchedBy, tokenPrefix } = screen;
  const voucher = vouchedBy
    ? `The identity provider ${vouchedBy} vouched for the address.`
    : "The holder answered an email that Deed sent to the address.";
  return (
    <Fold title="What it does not say">
      <p>
        Nothing about subdomains or other domains, or about who owns a company or a trademark.
        {isFollowed(screen) ? null : " Nothing about the time after the proof."}
      </p>
      <p>
        The holder’s address is shown as <bdi className="mono address">{proof.heldBy}</bdi>.{" "}
        {isConfirmed ? voucher : "Nobody has confirmed that the address is theirs."} A genuine token
        is <code>{tokenPrefix}</code> followed by 40 digits of 0–9 and a–f. {fate}
      </p>
    </Fold>
  );
}

type SentenceFields = Pick<PublishedProof, "provedAt" | "heldBy" | "domain" | "unicodeDomain">;

type ProofSentenceProps = { proof: SentenceFields; start?: string };

export const ProofSentence = ({ proof, start = "On" }: ProofSentenceProps) => (
  <>
    {start}{" "}
    <strong>
      <Moment at={proof.provedAt} />
    </strong>{" "}
    <span className="whole">the holder of</span>{" "}
    <strong>
      <bdi className="address">
        <Dotted name={proof.heldBy} />
      </bdi>
    </strong>{" "}
    proved control of the DNS of{" "}
    <span className="address">
      <strong>
        <DomainName ascii={proof.domain} unicode={proof.unicodeDomain} />
      </strong>
      .
    </span>
  </>
);

/** What the proof is worth today, if nothing is wrong. */
function WorthToday({ screen: { watch, isStale } }: { screen: ProofScreen }) {
  if (!watch)
    return (
      <p className="worth">
        Good for its date only: the record is not watched, so nothing is known about today.
      </p>
    );
  return (
    <p className="worth proved">
      {isStale ? "Good when last seen, on " : "Still good: the record was last seen on "}
      <Moment at={watch.seenAt} />
      {isStale ? ": no check since has shown whether the record is still there." : "."}
    </p>
  );
}

type ProofDocumentProps = VerdictProps & { check: CheckTools };

export function ProofDocument({ screen, report, check, problem }: ProofDocumentProps) {
  const { proof, watch, trouble, receipt, renderedAt, lookalike } = screen;
  const state = proofState(screen, report);
  const isDenied = state.word !== "proved" && state.says === null;
  const { recency } = proof;
  const watched = watch ? <WatchSummary watch={watch} isSeenSaid={trouble === null} /> : null;
  return (
    <article className="deed">
      <QrCode qr={qrOf(proof.url)} what="the address of this page" />
      <div data-head="">
        <ProofHead {...state} />
        {state.word === "proved" ? <WorthToday screen={screen} /> : null}
      </div>
      {trouble ? watched : null}
      <ProofVerdict screen={screen} report={report} problem={problem} />
      <h1>
        <ProofSentence proof={proof} start={isDenied ? "The receipt says that on" : "On"} />
      </h1>
      <div className="stack first">
        {receipt || proof.nameservers ? (
          <p>
            Checked{trouble ? " on that date" : null}
            {receipt ? (
              <>
                {" "}
                <a href={`/docs/assurance#${receipt.assurance}`}>{CHECKED_BY[receipt.assurance]}</a>
              </>
            ) : null}
            : {answersText(screen)}.
          </p>
        ) : null}
        {trouble ? null : watched}
        {recency.type === "earlier" ? (
          <Notice tone="waiting" title="Proved again later">
            <p>
              There is a newer proof of this domain, from <Moment at={recency.latestProvedAt} />.
              Deed does not say by whom.
            </p>
          </Notice>
        ) : null}
        {lookalike ? <LookalikeWarning lookalike={lookalike} ascii={proof.domain} /> : null}
        {receipt ? (
          <ProofCheck
            proof={proof}
            isDoubted={trouble?.tone === "needs"}
            isChecked={report !== null}
            {...check}
          />
        ) : (
          <p>This proof is from before Deed signed receipts.</p>
        )}
      </div>
      <Fold title="Details">
        <ProofFacts screen={screen} />
        {receipt ? <ServersAsked receipt={receipt} /> : null}
        <p className="row apart small sans soft">
          <a href={`/api/proofs/${proof.slug}`} className="screen-only">
            The same as JSON
          </a>{" "}
          <span>
            Page made on <Moment at={renderedAt} />
          </span>
        </p>
      </Fold>
      <HowToCheck screen={screen} />
      <WhatProofSays screen={screen} />
      <p className="small sans screen-only">
        <a href="/docs/what-is-this">What is this?</a>
      </p>
    </article>
  );
}
