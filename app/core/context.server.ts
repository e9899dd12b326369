import type { Anchor } from "@deed/dns/dnssec/anchors.ts";
import type { Reader } from "@deed/dns/resolve/reader.ts";
import type { Decision } from "@deed/dns/verdict/diagnosis.ts";
import type { RecordFinding } from "@deed/dns/verdict/proof.ts";
import type { Db, Tx } from "#db/client.ts";

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

/**
 * The first argument of every service function: what the composition root supplies, and what services keep in memory. A
 * feature adds its own members where it defines them (`declare module`), so that nothing here imports a feature.
 */
export interface Context {
  db: Db;
  clock: Clock;
  timekeeper: Timekeeper;
  /** Uniform in [0, 1), for jitter. */
  random: () => number;
  settings: Settings;
  reader: Reader;
  mailer: Mailer;
  log: Log;
  /** Writes what webhooks will post of the events queued in a transaction, at its end. */
  writeMessages: (tx: Tx, ctx: TxContext) => void;
  /** Called with the decision of each read that was recorded. */
  onRead?: (decision: Decision) => void;
  /** Called with what a read of a proof's record found, once it was recorded. */
  onWatchRead?: (finding: RecordFinding) => void;
  /** Called with whether a receipt just issued verifies. */
  onReceiptTested?: (isGood: boolean) => void;
}

/** The context inside a transaction, where queries go through the transaction's handle. */
export type TxContext = Omit<Context, "db">;
