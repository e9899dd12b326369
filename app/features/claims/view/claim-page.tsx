import { PathSection } from "#app/features/zones/view/record-path.tsx";
import { DomainName, Reference } from "#app/ui/name.tsx";
import { Page, StateWord } from "#app/ui/page.tsx";
import { WwwRemoved } from "#app/ui/www-removed.tsx";
import type { ClaimActionResult } from "./action-result.ts";
import { ClaimFolds } from "./claim-folds.tsx";
import type { ClaimScreen } from "./claim-screen.server.ts";
import { EndedCard } from "./ended-card.tsx";
import { OpenCard } from "./open-card.tsx";
import { Reloading } from "./reloading.tsx";
import { stateLabel } from "./state-label.ts";

const PATH_TITLES: Record<ClaimScreen["claim"]["state"], string> = {
  pending: "Where the record is",
  proved: "What the check that proved it saw",
  expired: "What the last check saw",
  canceled: "What the last check saw",
};

type ClaimPageProps = {
  screen: ClaimScreen;
  result: ClaimActionResult;
  /** Whether the person reading gets notices by mail. */
  isMailed: boolean;
  isWwwRemoved: boolean;
  /** For the page without forms: every how many seconds it reloads. Null for the page with them. */
  reloads: number | null;
  sharing: React.ReactNode;
};

export function ClaimPage({ screen, result, reloads, sharing, ...page }: ClaimPageProps) {
  const { claim, open } = screen;
  const message = result.problem?.message ?? null;
  const promise = page.isMailed ? "we will email you" : "the checks go on";
  return (
    <Page
      above={
        <>
          <span role="status">
            <StateWord {...stateLabel(claim.state, open)} />
          </span>
          <Reference reference={claim.reference} />
        </>
      }
      title={<DomainName ascii={claim.domain} unicode={claim.unicodeDomain} />}
    >
      {page.isWwwRemoved && reloads === null ? (
        <WwwRemoved
          domain={{ ...claim, name: claim.domain, unicodeName: claim.unicodeDomain }}
          intent="claim"
        />
      ) : null}
      <section className="card" id="share">
        {open === null ? (
          <EndedCard screen={screen} problem={message} />
        ) : (
          <>
            <OpenCard
              view={screen}
              problem={result.shared === null ? message : null}
              tooSoon={result.tooSoon}
              promise={`You can close this page: ${promise}.`}
              reloads={reloads}
            />
            <p className="soft small sans">
              Deed at <span className="mono">{screen.installation}</span> asks for the record.
            </p>
          </>
        )}
      </section>
      {open === null ? null : <Reloading every={reloads} />}
      <PathSection title={PATH_TITLES[claim.state]} path={screen.path} />
      {reloads === null ? <ClaimFolds screen={screen} sharing={sharing} /> : null}
    </Page>
  );
}
