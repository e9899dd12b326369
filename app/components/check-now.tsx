import type { ClaimView } from "#app/services/claim-screen.server.ts";
import { Act } from "./button.tsx";
import { Countdown } from "./time.tsx";

/** Reads DNS now, and says when that happens by itself. */
export function CheckNow({
  verification: { nextRunAt },
  now,
}: {
  verification: Pick<ClaimView["verification"], "nextRunAt">;
  now: string;
}) {
  return (
    <div className="row">
      <Act intent="check" kind="primary" busy="Reading DNS…">
        Check now
      </Act>
      {nextRunAt ? (
        <p className="soft">
          It also checks by itself <Countdown until={nextRunAt} served={now} />.
        </p>
      ) : null}
      <noscript>
        <p className="soft">
          This page reads itself again from time to time. <a href="?still">Stop that.</a>
        </p>
      </noscript>
    </div>
  );
}
