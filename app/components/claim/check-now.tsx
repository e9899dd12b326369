import type { ClaimView } from "#app/services/screens/claim-screen.server.ts";
import { ActionButton } from "../ui/button.tsx";
import { Countdown } from "../ui/time.tsx";

type View = Pick<ClaimView, "now" | "isTimeKnown"> & {
  verification: Pick<ClaimView["verification"], "nextRunAt">;
};

/** When the next scheduled read is. */
function NextRead({ view: { verification, now, isTimeKnown } }: { view: View }) {
  if (!isTimeKnown) return <>Nothing is read until this service is sure of the time.</>;
  if (!verification.nextRunAt) return null;
  return (
    <>
      It also checks by itself <Countdown until={verification.nextRunAt} servedAt={now} />.
    </>
  );
}

/** A button that reads DNS now, with the time of the next scheduled read. */
export function CheckNow({ view }: { view: View }) {
  return (
    <div className="row">
      <ActionButton intent="check" kind="primary" busy="Reading DNS…">
        Check now
      </ActionButton>
      <p className="soft">
        <NextRead view={view} />
      </p>
      <noscript>
        <p className="soft">
          This page reads itself again from time to time. <a href="?still">Stop that.</a>
        </p>
      </noscript>
    </div>
  );
}
