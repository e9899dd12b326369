import { connect, type TLSSocket } from "node:tls";
import type { Query } from "./message.ts";

const CONNECT_MS = 3_000;

/** "untrusted": the certificate does not match the name or address asked, or no trusted authority signed it. */
export type SecureReply =
  /** `date`: the HTTP field, as given. */
  | { type: "answer"; bytes: Buffer; date?: string | undefined }
  | { type: "failed"; failure: "timeout" | "refused" | "malformed" | "untrusted" };

/** An open connection to a witness. It carries any number of concurrent questions and closes when idle. */
export type SecureTransport = {
  /** `settle` is called at most once, with "lost" if the connection ends first. Returns what forgets the question. */
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

type Failure = Extract<SecureReply, { type: "failed" }>["failure"];

class TlsOpenError extends Error {
  constructor(readonly failure: Failure) {
    super(failure);
  }
}

/** How a connection failed to open. */
export const openFailure = (error: unknown): Failure =>
  error instanceof TlsOpenError ? error.failure : "refused";

/** The certificate must be valid for the host, or else the address, by one of `authorities` (undefined: Node's). */
export function openTls(
  { address, port }: { address: string; port: number },
  { host, transport }: Secure,
  authorities: string[] | undefined,
): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const fail = (failure: Failure) => {
      reject(new TlsOpenError(failure));
      socket.destroy();
    };
    const socket = connect({
      host: address,
      port,
      // Overrides NODE_TLS_REJECT_UNAUTHORIZED.
      rejectUnauthorized: true,
      ...(host === null ? {} : { servername: host }),
      ...(authorities ? { ca: authorities } : {}),
      ...(transport === "https" ? { ALPNProtocols: ["h2"] } : {}),
    });
    socket.setTimeout(CONNECT_MS, () => fail("timeout"));
    socket.on("error", (error: NodeJS.ErrnoException) => {
      if (socket.authorizationError) return fail("untrusted");
      fail(error.code === "ECONNREFUSED" ? "refused" : "timeout");
    });
    socket.once("secureConnect", () => {
      if (transport === "https" && socket.alpnProtocol !== "h2") return fail("refused");
      socket.removeAllListeners("timeout");
      socket.setTimeout(0);
      socket.setNoDelay(true);
      socket.unref();
      resolve(socket);
    });
  });
}
