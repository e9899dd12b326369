import type { Context } from "#app/core/context.server.ts";
import { UnderWay } from "#app/core/fair-share.ts";
import { FeedHub } from "#app/core/feed/feed.server.ts";
import { probeDatabase } from "#app/features/admin/database-probe.ts";
import { ActiveRuns } from "#app/features/claims/active-runs.ts";
import { Glances } from "#app/features/claims/glances.ts";
import { Gate } from "#app/features/gate/gate.server.ts";
import { awaitRemoval } from "#app/features/watching/watch-rows.server.ts";
import { writeMessages } from "#app/features/webhooks/messages.server.ts";
import { WantedNames } from "#app/features/zones/registry/registrations.server.ts";
import { zoneCache } from "#app/features/zones/shared-reads.ts";

/** What every process has alike. */
const own = (
  { db, reader, clock, log }: Pick<Context, "db" | "reader" | "clock" | "log">,
  feed = new FeedHub(db),
) => ({
  writeMessages,
  awaitRemoval,
  untestedReceipts: new Set<string>(),
  feed,
  gate: new Gate({ db, feed }),
  runs: new ActiveRuns(),
  glances: new Glances(),
  watchReads: new UnderWay<string>(),
  wantedNames: new WantedNames(),
  zones: zoneCache(reader, clock),
  database: probeDatabase(db, clock, log),
});

/** The context of a process, from what differs between the service, a command and a test. */
export const createContext = (given: Omit<Context, keyof ReturnType<typeof own>>): Context => ({
  ...given,
  ...own(given),
});
