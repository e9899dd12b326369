import type { Context } from "#app/core/context.server.ts";
import { FeedHub } from "#app/core/feed/feed.server.ts";
import { DatabaseProbe } from "#app/features/admin/database-probe.ts";
import { ActiveRuns } from "#app/features/claims/active-runs.ts";
import { ActiveWatchReads } from "#app/features/watching/active-watch-reads.ts";
import { awaitRemoval } from "#app/features/watching/removal.server.ts";
import { writeMessages } from "#app/features/webhooks/messages.server.ts";
import { WantedNames } from "#app/features/zones/registry/wanted-names.ts";
import { ZoneCache } from "#app/features/zones/zone-cache.ts";

/** What every process has alike. */
type Own =
  | "writeMessages"
  | "awaitRemoval"
  | "untestedReceipts"
  | "feed"
  | "runs"
  | "watchReads"
  | "wantedNames"
  | "zones"
  | "database";

/** The context of a process, from what differs between the service, a command and a test. */
export const createContext = (given: Omit<Context, Own>): Context => ({
  ...given,
  writeMessages,
  awaitRemoval,
  untestedReceipts: new Set(),
  feed: new FeedHub(given.db),
  runs: new ActiveRuns(),
  watchReads: new ActiveWatchReads(),
  wantedNames: new WantedNames(),
  zones: new ZoneCache(given.reader, given.clock),
  database: new DatabaseProbe(given.db, given.clock, given.log),
});
