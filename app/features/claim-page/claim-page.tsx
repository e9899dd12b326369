import { PathSection } from "#app/features/zones/view/record-path.tsx";
import { SuffixNotice } from "#app/features/zones/view/zone.tsx";
import { Link } from "#app/remix/react.ts";
import { Value } from "#app/ui/copy.tsx";
import { DomainName } from "#app/ui/name.tsx";
import { Fold } from "#app/ui/page.tsx";
import { dayText, Moment } from "#app/ui/time.tsx";
import type { ClaimScreen } from "./claim-screen.server.ts";
import { EndedCard, type EndedCardProps } from "./ended-card.tsx";
import { DiagnosisDetails } from "./fix-and-details.tsx";
import { History } from "./history.tsx";
import {
  hasAdvice,
  OpenCard,
  type OpenCardProps,
  OpenPath,
  RecordUse,
  ReloadLinks,
} from "./open-card.tsx";
import { RecordForms } from "./record-fields.tsx";

/** `isMailed`: whether the reader gets notices by mail. */
export type ClaimFoldsProps = { screen: ClaimScreen; isMailed: boolean };

function ClaimScope({ screen, isMailed }: ClaimFoldsProps) {
  const { claim, isPublicSuffix, installation } = screen;
  return (
    <>
      {isPublicSuffix ? <SuffixNotice /> : null}
      <p className="soft small sans">
        A proof is for <DomainName ascii={claim.domain} unicode={claim.unicodeDomain} /> only, not
        its subdomains.
        {screen.open ? (
          <>
            {" "}
            Deed at <span className="mono">{installation}</span> asks for the record. It checks
            until <Moment at={claim.expiresAt} form="day" />
            {isMailed ? " and emails you: you can close this page" : null}.
          </>
        ) : null}
      </p>
    </>
  );
}

function fullListLinks({ claim, verification, checks, timeline, hasMore }: ClaimScreen) {
  const shownCount = timeline.filter(({ to }) => to?.endsWith("#evidence")).length;
  const reads = `/api/verifications/${verification.id}/attempts`;
  return {
    ...(shownCount < checks && { "Each check on its own, as JSON": reads }),
    ...(hasMore && { "All claims, as JSON": `/api/claims?domainId=${claim.domainId}` }),
  };
}

export function ClaimFolds({ screen, isMailed }: ClaimFoldsProps) {
  const { claim, receipt, labels, snippets, path } = screen;
  const { diagnosis, registry } = screen.verification;
  const isOpen = claim.state === "pending";
  const history = (
    <History
      view={screen}
      inFull={fullListLinks(screen)}
      json={receipt && `/api/claims/${claim.id}/evidence`}
    />
  );
  return (
    <>
      {isOpen ? null : history}
      <section className="more">
        {isOpen || receipt ? <h2>More</h2> : null}
        {isOpen ? (
          <>
            {hasAdvice(screen) && diagnosis ? (
              <Fold title="More about this problem">
                <DiagnosisDetails {...{ diagnosis, registry }} />
              </Fold>
            ) : null}
            <RecordForms labels={labels} snippets={snippets} />
            {history}
          </>
        ) : null}
        {claim.state === "proved" && claim.endedAt ? (
          <PathSection
            title={`Where the record was on ${dayText(claim.endedAt)}`}
            path={path}
            tone="ended"
            isFolded
          />
        ) : null}
        {receipt ? (
          <Fold title="Ownership code" id="receipt">
            <Value text={receipt.opening} what="the ownership code" />
            <p className="soft">
              Give it, with your full email address, to someone who needs to confirm that the signed
              receipt is yours.
            </p>
          </Fold>
        ) : null}
        <ClaimScope screen={screen} isMailed={isMailed} />
      </section>
    </>
  );
}

export function ClaimPath({ screen }: { screen: ClaimScreen }) {
  if (screen.claim.state === "proved") return null;
  return (
    <>
      {screen.open === null ? (
        <PathSection title="What the last check found" path={screen.path} tone="ended" />
      ) : (
        <>
          <ReloadLinks view={screen} />
          <OpenPath view={screen} />
          <RecordUse view={screen} watchProof={screen.watchProof} />
        </>
      )}
      {screen.open && screen.otherProof ? (
        <p className="small sans">
          <Link to={screen.otherProof.path}>
            Proved on <Moment at={screen.otherProof.at} form="day" />
          </Link>
          . That proof stays as it is.
        </p>
      ) : null}
    </>
  );
}

export const ClaimCard = (card: EndedCardProps & Omit<OpenCardProps, "view">) =>
  card.screen.open === null ? <EndedCard {...card} /> : <OpenCard {...card} view={card.screen} />;
