import type { ReactNode } from "react";
import type { ClaimActionResult } from "#app/features/claim-page/action-result.ts";
import {
  ClaimCard,
  ClaimFolds,
  type ClaimFoldsProps,
  ClaimPath,
} from "#app/features/claim-page/claim-page.tsx";
import { ProofLines, ProveAgain } from "#app/features/claim-page/proof-lines.tsx";
import { Link } from "#app/remix/react.ts";
import { ActionButton } from "#app/ui/button.tsx";
import { DomainName } from "#app/ui/name.tsx";
import { Notice, Page, Problem, StateWord } from "#app/ui/page.tsx";
import { dayText } from "#app/ui/time.tsx";
import type { DomainScreen } from "./domain-screen.server.ts";
import { WwwRemoved } from "./www-removed.tsx";

/** `isExisting`: the domain was typed again although it is in the list. */
type DomainPageProps = DomainScreen &
  Omit<ClaimFoldsProps, "screen"> & {
    result: ClaimActionResult;
    handoffFold: ReactNode;
    handedOffAt?: string | undefined;
  } & Record<"isExisting" | "isWwwRemoved", boolean>;

/** For a domain without a claim, or an archived one. */
const NoClaimCard = ({ domain, result }: Pick<DomainPageProps, "domain" | "result">) => (
  <>
    <h2>{domain.archived ? "It is in your archive" : "You have not started to prove it"}</h2>
    <p>
      {domain.archived
        ? "An archived domain cannot be proved or shared. Its proofs keep their dates."
        : "You get one TXT record to add. Deed then checks automatically for seven days."}
    </p>
    <Problem message={result.problem?.message} />
    {domain.archived ? (
      <ActionButton intent="unarchive" kind="primary" busy="Taking it out…">
        Take out of the archive
      </ActionButton>
    ) : (
      <ActionButton intent="claim" kind="primary" busy="Opening…">
        Prove it
      </ActionButton>
    )}
  </>
);

function MoreActions({ domain, screen, isCurrent }: Pick<DomainPageProps, keyof DomainScreen>) {
  const { id, archived } = domain;
  const open = screen?.claim.state === "pending" ? screen.claim : null;
  return (
    <details className="rest">
      <summary>
        <span aria-hidden="true">…</span>
        <span className="unseen">More for this domain</span>
      </summary>
      <div className="stack">
        {open ? (
          <details>
            <summary>Cancel this claim…</summary>
            <p>
              Deed stops checking and no longer accepts the value. Starting again gives you a new
              value.
            </p>
            <ActionButton
              intent="cancel"
              kind="danger"
              busy="Canceling…"
              fields={{ claim: open.id }}
              at={screen?.now}
            >
              Cancel the claim
            </ActionButton>
          </details>
        ) : null}
        {isCurrent &&
        screen?.claim.state === "proved" &&
        !archived &&
        screen.recordUse.trouble?.tone !== "needs" ? (
          <ProveAgain claim={screen.claim} kind="linkish" />
        ) : null}
        {archived ? null : (
          <p>
            <Link to={`/domains/${id}/archive`}>Archive…</Link>
          </p>
        )}
        <p>
          <Link to={`/domains/${id}/delete`} className="danger">
            Delete…
          </Link>
        </p>
      </div>
    </details>
  );
}

export function DomainPage(page: DomainPageProps) {
  const { domain, screen, isCurrent, label, result } = page;
  const card =
    domain.archived && isCurrent ? null : screen && <ClaimCard {...page} screen={screen} />;
  return (
    <Page
      above={
        <>
          <span role="status">
            <StateWord {...label} />
            {domain.archived ? " · archived" : null}
          </span>
          <MoreActions {...page} />
        </>
      }
      title={
        <DomainName ascii={domain.name} unicode={domain.unicodeName} reference={domain.reference} />
      }
    >
      {isCurrent ? null : (
        <Notice title="This is an earlier claim">
          <p>
            <Link to={`/domains/${domain.id}`}>See the domain’s current state</Link>
          </p>
        </Notice>
      )}
      {page.isExisting ? (
        <Notice title="You already have this domain">
          <p>
            {domain.lastProvedAt
              ? `It was proved on ${dayText(domain.lastProvedAt)}.`
              : "Here it is, with its history."}
          </p>
          {screen?.claim.state === "proved" && !domain.archived && !screen.isDoubted ? (
            <ProveAgain claim={screen.claim} kind="quiet" />
          ) : null}
        </Notice>
      ) : null}
      {screen?.claim.coexistence?.type === "unnamed" ? (
        <Notice title="Somebody else has proved this domain">
          <p>Prove it too to see who they are.</p>
        </Notice>
      ) : null}
      {page.isWwwRemoved ? <WwwRemoved domain={domain} /> : null}
      <section className="card" id="share">
        {card ?? <NoClaimCard domain={domain} result={result} />}
        {!card && screen?.claim.state === "proved" ? (
          <ProofLines screen={screen} isCurrent={isCurrent} />
        ) : null}
      </section>
      {screen ? <ClaimPath screen={screen} /> : null}
      {screen ? <ClaimFolds {...page} screen={screen} /> : null}
    </Page>
  );
}
