import { Link } from "@remix-run/react";
import type { ClaimScreen, ClaimView } from "#app/services/screens/claim-screen.server.ts";
import { Moment } from "../ui/time.tsx";
import { Diagnosis } from "./diagnosis.tsx";
import { Wait } from "./wait.tsx";

/** An open claim: what is wrong with its record, or what it is waiting for. */
export function OpenClaimStatus({ view }: { view: ClaimView }) {
  const { verification, record, pastes, awaited, now, open } = view;
  const { diagnosis, waitEstimate } = verification;
  if (diagnosis && open === "waiting_for_record")
    return <p className="lead">Add the record below. Deed checks automatically.</p>;
  if (diagnosis) return <Diagnosis diagnosis={diagnosis} record={record} pastes={pastes} />;
  if (!waitEstimate) return null;
  return <Wait estimate={waitEstimate} awaited={awaited} verification={verification} now={now} />;
}

/** The top of a claim's page: its state, what is wrong or awaited, and what comes next. */
export function ClaimStatus({ screen }: { screen: ClaimScreen }) {
  const { claim, verification, record, now } = screen;
  const { diagnosis } = verification;
  const claimAgain = <Link to={`/domains/${claim.domainId}`}>Claim the name again</Link>;
  switch (claim.state) {
    case "pending":
      return <OpenClaimStatus view={screen} />;
    case "proved":
      return (
        <>
          <p className="lead">
            Proved on <Moment at={claim.endedAt ?? now} />.
          </p>
          <p>You can delete the TXT record now. The proof keeps its date.</p>
        </>
      );
    case "expired":
      return (
        <>
          <p className="lead">
            The seven days ended on <Moment at={claim.expiresAt} />, and the record was not found.
          </p>
          {diagnosis ? (
            <>
              <p className="soft">What the last read saw:</p>
              <Diagnosis diagnosis={diagnosis} record={record} pastes={[]} />
            </>
          ) : null}
          <p>Its token is not accepted any more. {claimAgain} to get a new one.</p>
        </>
      );
    case "canceled":
      return (
        <>
          <p className="lead">
            Canceled on <Moment at={claim.endedAt ?? now} />.
          </p>
          <p>Its token is not accepted any more. {claimAgain} to get a new one.</p>
        </>
      );
  }
}
