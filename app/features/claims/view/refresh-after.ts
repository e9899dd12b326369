import type { ClaimView } from "./claim-screen.server.ts";

/** Bounds of the refresh without script, in seconds. */
const MIN_SECONDS = 15;
const MAX_SECONDS = 300;
/** Time allowed for a read, in seconds. */
const READ_SECONDS = 5;

/** Seconds until a browser without script reloads an open claim: just after its next read. */
export function refreshAfter({
  verification: { nextRunAt },
  now,
}: {
  verification: Pick<ClaimView["verification"], "nextRunAt">;
  now: string;
}): number {
  const untilNextMs = Date.parse(nextRunAt ?? now) - Date.parse(now);
  return Math.min(MAX_SECONDS, Math.max(MIN_SECONDS, Math.ceil(untilNextMs / 1000) + READ_SECONDS));
}
