import type { Query } from "./query.ts";

/** "untrusted": the certificate is not one of the name or address asked, or nobody trusted signed it. */
export type SecureReply =
  | { type: "answer"; bytes: Buffer }
  | { type: "failed"; failure: "timeout" | "refused" | "malformed" | "untrusted" };

/** An open connection to a witness that carries any number of questions at once, and ends once idle. */
export type SecureTransport = {
  /** Puts a question; `settle` is called at most once, with "lost" where the connection ended first. The function returned forgets it. */
  ask(query: Query, settle: (reply: SecureReply | "lost") => void): () => void;
  close(): void;
};

/** A connection on which nothing moves for so long closes. Longer than any question is waited for. */
export const IDLE_MS = 10_000;

/** How a witness is asked over TLS (RFC 7858) or HTTPS (RFC 8484). */
export type Secure = {
  transport: "tls" | "https";
  /** The host name its certificate must hold; its address where null. */
  host: string | null;
  /** Of the HTTPS URL; empty for TLS. */
  path: string;
};
