import { durationText } from "#app/ui/time.tsx";
import type { ClaimView } from "./claim-screen.server.ts";

/** Seconds until a browser without script reloads an open claim: just after its next read, which may take five. */
export function refreshAfter({ verification, now }: ClaimView): number {
  const untilNextMs = Date.parse(verification.nextRunAt ?? now) - Date.parse(now);
  return Math.min(300, Math.max(15, Math.ceil(untilNextMs / 1000) + 5));
}

/** For browsers without script: a way to the page that reloads, and back. A page with a form never reloads. */
export function Reloading({ every }: { every: number | null }) {
  if (every !== null)
    return (
      <p className="small sans">
        This page reloads every {every < 120 ? `${every} s` : durationText(every)}.{" "}
        <a href="?">Stop reloading</a>
      </p>
    );
  return (
    <noscript>
      <p className="small sans">
        <a href="?live">Live status</a>, on a page that reloads.
      </p>
    </noscript>
  );
}
