import type { ReactNode } from "react";
import { Problem } from "#app/ui/notice.tsx";
import { CheckNow, type TooSoon } from "./check-now.tsx";
import type { ClaimView } from "./claim-screen.server.ts";
import { DiagnosisFix } from "./diagnosis.tsx";
import { fieldsOf, PanelFields } from "./record-fields.tsx";
import { Wait } from "./wait.tsx";

/** What to do: add the record, fix it, or wait. */
function Task({ view, lead }: { view: ClaimView; lead: ReactNode }) {
  const { open, labels, verification, record, headline, pastes } = view;
  const { diagnosis, registry, waitEstimate } = verification;
  if (open === "needs_you" && diagnosis)
    return (
      <>
        <h2 data-code={diagnosis.code}>{headline}</h2>
        <DiagnosisFix diagnosis={diagnosis} registry={registry} record={record} pastes={pastes} />
      </>
    );
  if (open === "waiting_for_dns" && waitEstimate)
    return <Wait view={view} estimate={waitEstimate} />;
  return (
    <>
      <h2 data-code={waitEstimate?.reason}>{lead}</h2>
      <PanelFields fields={fieldsOf(labels)} />
      {labels.hostHint ? <p className="soft small sans">{labels.hostHint}</p> : null}
      {waitEstimate?.reason === "retry" ? (
        <p>Deed could not reach DNS. That is on our side, and Deed tries again automatically.</p>
      ) : null}
    </>
  );
}

/** "Add this TXT record at GoDaddy, where acme.com’s DNS is managed." */
export function AddRecord({ labels: { provider, zone } }: Pick<ClaimView, "labels">) {
  const managed = (
    <>
      where <bdi className="mono">{zone}</bdi>’s DNS is managed.
    </>
  );
  if (provider === null) return <>Add this TXT record {managed}</>;
  return (
    <>
      Add this TXT record at {provider}, {managed}
    </>
  );
}

/** An open claim on a page without forms. */
export function LiveCard({ view }: { view: ClaimView }) {
  return <Task view={view} lead={<AddRecord labels={view.labels} />} />;
}

/** An open claim: what to do, what to copy, and the buttons. Goes into a card. */
export function OpenCard({
  view,
  lead = <AddRecord labels={view.labels} />,
  problem,
  tooSoon,
  promise,
}: {
  view: ClaimView;
  /** The sentence above the record before anything is wrong with it. */
  lead?: ReactNode;
  /** Why the last form was rejected. */
  problem: string | null;
  tooSoon: TooSoon | null;
  promise: string;
}) {
  return (
    <>
      <Task view={view} lead={lead} />
      <Problem message={problem} />
      <CheckNow view={view} tooSoon={tooSoon} promise={promise} />
    </>
  );
}
