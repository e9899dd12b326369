import type { Context } from "#app/core/context.server.ts";
import { RunningWork } from "#app/core/fair-share.ts";
import { FeedHub } from "#app/core/feed/feed.server.ts";
import { probeDatabase } from "#app/features/admin/database-probe.ts";
import { Checks } from "#app/features/checks/checks.ts";
import { ActiveRuns } from "#app/features/claims/active-runs.ts";
import { Glances } from "#app/features/claims/glances.ts";
import { Gate } from "#app/features/gate/gate.server.ts";
import { awaitRemoval } from "#app/features/watching/watch-rows.server.ts";
import { writeMessages } from "#app/features/webhooks/messages.server.ts";
import { RegistryQueue } from "#app/features/zones/registry/registrations.server.ts";
import { publicPlaces, type ZoneCache, zoneCache } from "#app/features/zones/shared-reads.ts";

declare module "#app/core/context.server.ts" {
  interface Context {
    awaitRemoval: typeof awaitRemoval;
    /** Claims whose receipt has not been tested yet. */
    untestedReceipts: Set<string>;
    feed: FeedHub;
    gate: Gate;
    runs: ActiveRuns;
    glances: Glances;
    watchReads: RunningWork<string>;
    wantedNames: RegistryQueue;
    zones: ZoneCache;
    checks: Checks;
    database: ReturnType<typeof probeDatabase>;
  }
}

/** Makes the parts of a context that every process makes in the same way. */
const parts = (
  { db, reader, clock, random, log }: Pick<Context, "db" | "reader" | "clock" | "random" | "log">,
  feed = new FeedHub(db),
  places = publicPlaces(),
) => ({
  writeMessages,
  awaitRemoval,
  untestedReceipts: new Set<string>(),
  feed,
  gate: new Gate({ db, feed }),
  runs: new ActiveRuns(),
  glances: new Glances(),
  watchReads: new RunningWork<string>(),
  wantedNames: new RegistryQueue(),
  zones: zoneCache(reader, clock, places),
  checks: new Checks({
    ...{ reader, clock, random, places },
    onFault: (error) => log.error({ err: error }, "a look at a record failed"),
  }),
  database: probeDatabase(db, clock, log),
});

/** Makes the context of a process from the parts that differ between the service, a command and a test. */
export const createContext = (given: Omit<Context, keyof ReturnType<typeof parts>>): Context => ({
  ...given,
  ...parts(given),
});
