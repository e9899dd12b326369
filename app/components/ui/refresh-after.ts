import type { ClaimView } from "#app/services/screens/claim-screen.server.ts";

/** Bounds of the refresh without script, in seconds. */
const SOONEST = 15;
const LATEST = 300;
/** Time allowed for a read, in seconds. */
const READING = 5;

/** Seconds until a browser without script reloads an open claim: just after its next read. */
export function refreshAfter({
  verification: { nextRunAt },
  now,
}: {
  verification: Pick<ClaimView["verification"], "nextRunAt">;
  now: string;
}): number {
  const next = Date.parse(nextRunAt ?? now) - Date.parse(now);
  return Math.min(LATEST, Math.max(SOONEST, Math.ceil(next / 1000) + READING));
}
