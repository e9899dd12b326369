import type { Anchor } from "@deed/dns/dnssec/anchors.ts";
import type { Reader } from "@deed/dns/resolve/reader.ts";
import type { Decision } from "@deed/dns/verdict/diagnosis.ts";
import type { RecordFinding } from "@deed/dns/verdict/proof-standing.ts";
import type { Outbound } from "#app/core/outbound/outbound.server.ts";
import { DatabaseProbe } from "#app/features/admin/database-probe.ts";
import { ActiveRuns } from "#app/features/claims/active-runs.ts";
import type { Signer } from "#app/features/receipts/signer.server.ts";
import { ActiveWatchReads } from "#app/features/watching/active-watch-reads.ts";
import type { RegistryList } from "#app/features/zones/registry/registries.server.ts";
import { WantedNames } from "#app/features/zones/registry/wanted-names.ts";
import { ZoneCache } from "#app/features/zones/zone-cache.ts";
import type { Db, Tx } from "#db/client.ts";
import { FeedHub } from "./feed/feed.server.ts";

/** Milliseconds since the epoch. Services take the time from here, never from Date. */
export type Clock = () => number;

/** Decides whether the service's time can be trusted. */
export type Timekeeper = {
  /** Continues from the newest time in the database, epoch milliseconds, which becomes the floor. */
  resume(newest: number): void;
  /** What reads, expiry and dating are waiting for, as a sentence for the operator; null while the time is known. */
  waitsFor(): string | null;
};

export type Mail = { to: string; subject: string; text: string; html: string };
/** Resolves once the mail server has accepted the mail; rejects otherwise. */
export type Mailer = { send(mail: Mail): Promise<void> };

export type Log = {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
};

export type Settings = {
  version: string;
  /** The commit of the build; "unknown" if it was built outside git. */
  commit: string;
  /** Origin of the service without a trailing slash, from BASE_URL. */
  baseUrl: string;
  docsUrl: string;
  challengeLabel: string;
  tokenPrefix: string;
  /** The keys that DNSSEC chains start from. */
  trustAnchors: readonly Anchor[];
  /** Names of the configured witnesses. */
  witnesses: string[];
  /** Milliseconds from the opening of a claim to its first read. */
  firstReadAfterMs: number;
  /** How many claims of one account may be open at once. */
  openClaims: number;
  /** Who may open an account: anybody, or these addresses and @domains, in lower case; none at all if empty. */
  signUp: "open" | readonly string[];
  /** Addresses that see the pages under /admin. */
  admins: readonly string[];
  /** Host names in lower case that every account's hand-offs may lead back to. */
  backHosts: readonly string[];
};

/** What the composition root supplies to the services. */
export type Dependencies = {
  db: Db;
  clock: Clock;
  timekeeper: Timekeeper;
  /** Uniform in [0, 1), for jitter. */
  random: () => number;
  settings: Settings;
  reader: Reader;
  mailer: Mailer;
  /** Writes what webhooks will post of the events queued in a transaction, at its end. */
  writeMessages: (tx: Tx, ctx: TxContext) => void;
  /** Posts to the URLs of webhooks. */
  outbound: Outbound;
  /** How registries are asked over RDAP; null if they are not. */
  registry: { outbound: Outbound; list: RegistryList } | null;
  log: Log;
  /** The key that signs receipts. */
  signer: Signer;
  /** Called with the decision of each read that was recorded. */
  onRead?: (decision: Decision) => void;
  /** Called with what a read of a proof's record found, once it was recorded. */
  onWatchRead?: (finding: RecordFinding) => void;
  /** Called with whether a receipt just issued verifies. */
  onReceiptTested?: (isGood: boolean) => void;
};

/** The first argument of every service function: its dependencies, and what the services keep in memory. */
export type Context = Dependencies & {
  /** Claims whose receipts this process issued and has not verified yet. */
  untestedReceipts: Set<string>;
  feed: FeedHub;
  runs: ActiveRuns;
  watchReads: ActiveWatchReads;
  wantedNames: WantedNames;
  zones: ZoneCache;
  database: DatabaseProbe;
};

/** The context inside a transaction, where queries go through the transaction's handle. */
export type TxContext = Omit<Context, "db">;

export const createContext = (dependencies: Dependencies): Context => ({
  ...dependencies,
  untestedReceipts: new Set(),
  feed: new FeedHub(dependencies.db),
  runs: new ActiveRuns(),
  watchReads: new ActiveWatchReads(),
  wantedNames: new WantedNames(),
  zones: new ZoneCache(dependencies.reader, dependencies.clock),
  database: new DatabaseProbe(dependencies.db, dependencies.clock, dependencies.log),
});
