import type { Anchor } from "@deed/dns/dnssec/anchors.ts";
import type { Reader } from "@deed/dns/resolve/reader.ts";
import type { Decision } from "@deed/dns/verdict/diagnosis.ts";
import type { RecordFinding } from "@deed/dns/verdict/standing.ts";
import type { Db, Tx } from "#db/client.ts";

/** Services take the time from here, never from Date. Epoch milliseconds. */
export type Clock = () => number;

export type Timekeeper = {
  /** The newest time in the database, epoch milliseconds, becomes the floor. */
  resume(newest: number): void;
  /** A sentence for the operator; null while the time is known. */
  waitsFor(): string | null;
};

export type Mail = Record<"to" | "subject" | "text" | "html", string> & {
  headers?: Record<string, string>;
};
export type TestMail = Pick<Mail, "to" | "subject" | "text"> & { at: string };
export type Mailer = { send(mail: Mail): Promise<void> };

type Level = "debug" | "info" | "warn" | "error";
export type Log = Record<Level, (fields: object, message: string) => void>;

export type Settings = {
  version: string;
  /** "unknown" if it was built outside git. */
  commit: string;
  baseUrl: string;
  docsUrl: string;
  challengeLabel: string;
  tokenPrefix: string;
  trustAnchors: readonly Anchor[];
  witnesses: string[];
  firstReadAfterMs: number;
  openClaims: number;
  domains: number;
  /** Addresses and @domains that may open an account, in lower case; "open" for anybody, empty for nobody. */
  signUp: "open" | readonly string[];
  admins: readonly string[];
  backHosts: readonly string[];
};

/** What features add is declared beside what makes it (`declare module`), so that nothing here imports a feature. */
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
  /** In the world of an account's test keys. `real`: the context of the service, with the keys and the real time. */
  test?: {
    real: Context;
    /** The only one in it: the first of the account. */
    person: { personId: string; email: string };
    /** Slugs begin with it, so that a public address leads to its world. */
    slugStart: string;
    isName(ascii: string): boolean;
    /** Moves the clock from one due moment to the next, and does what is due at each. Ends early if that is much. */
    advance(byMs: number): Promise<void>;
    /** Erases the world; the next call begins it anew. */
    reset(): void;
    /** Newest first. */
    mails: readonly TestMail[];
  };
  /** Writes what webhooks will post of the events queued in a transaction, at its end. */
  writeMessages: (tx: Tx, ctx: TxContext) => void;
  onRead?: (decision: Decision) => void;
  onWatchRead?: (finding: RecordFinding) => void;
  onReceiptTested?: (isGood: boolean) => void;
}

export type TxContext = Omit<Context, "db">;
