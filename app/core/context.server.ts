import type { Reader } from "@deed/dns/resolve/reader.ts";
import type { Decision } from "@deed/dns/verdict/diagnosis.ts";
import type { RecordFinding } from "@deed/dns/verdict/standing.ts";
import type { Db, Tx } from "#db/client.ts";
import type { Settings } from "./settings.server.ts";

/** Returns the time in epoch milliseconds. Services use this clock, never Date. */
export type Clock = () => number;

export type Timekeeper = {
  /** Takes the newest time in the database, epoch milliseconds, as the earliest possible time. */
  resume(newestTime: number): void;
  /** Tells the operator in a sentence why reads wait; null while the time is known. */
  reasonToWait(): string | null;
};

export type Mail = Record<"to" | "subject" | "text" | "html", string> & {
  headers?: Record<string, string>;
};
export type TestMail = Pick<Mail, "to" | "subject" | "text"> & { at: string };
export type Mailer = { send(mail: Mail): Promise<void> };

type LogLevel = "debug" | "info" | "warn" | "error";
export type Log = Record<LogLevel, (fields: object, message: string) => void>;

/** Features declare their additions next to their code (`declare module`), so that nothing here imports a feature. */
export interface Context {
  db: Db;
  clock: Clock;
  timekeeper: Timekeeper;
  /** Returns a number from 0 up to 1, uniformly distributed, for jitter. */
  random: () => number;
  settings: Settings;
  reader: Reader;
  mailer: Mailer;
  log: Log;
  /** Present only in a test key's world. `real` is the service's context, with the keys and the real time. */
  test?: {
    real: Context;
    /** The only person in the world: the account's first. */
    person: { personId: string; email: string };
    /** The start of the world's slugs, so that a public address shows its world. */
    slugStart: string;
    isName(ascii: string): boolean;
    /** Moves the clock from one due moment to the next, and runs what is due. Ends early if there is much to do. */
    advance(byMs: number): Promise<void>;
    /** Erases the world; the next call makes a new one. */
    reset(): void;
    /** The mails that the world sent, newest first. */
    mails: readonly TestMail[];
  };
  /** At the end of a transaction, writes the webhook messages of its queued events. */
  writeMessages: (tx: Tx, ctx: TxContext) => void;
  onRead?: (decision: Decision) => void;
  onWatchRead?: (finding: RecordFinding) => void;
  onReceiptTested?: (isGood: boolean) => void;
}

export type TxContext = Omit<Context, "db">;
