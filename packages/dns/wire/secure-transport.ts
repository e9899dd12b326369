import type { Query } from "./query.ts";

/** "untrusted": the certificate does not match the name or address asked, or no trusted authority signed it. */
export type SecureReply =
  /** `date`: the HTTP field, as given. */
  | { type: "answer"; bytes: Buffer; date?: string | undefined }
  | { type: "failed"; failure: "timeout" | "refused" | "malformed" | "untrusted" };

/** An open connection to a witness. It carries any number of concurrent questions and closes when idle. */
export type SecureTransport = {
  /**
   * Asks a question; `settle` is called at most once, with "lost" if the connection ends first. The returned function
   * forgets the question.
   */
  ask(query: Query, settle: (reply: SecureReply | "lost") => void): () => void;
  close(): void;
};

/** Idle time after which a connection closes. Longer than the timeout of any question. */
export const IDLE_MS = 10_000;

/** How to ask a witness over TLS (RFC 7858) or HTTPS (RFC 8484). */
export type Secure = {
  transport: "tls" | "https";
  /** The host name that its certificate must have; its address if null. */
  host: string | null;
  /** Path of the HTTPS URL; empty for TLS. */
  path: string;
};
