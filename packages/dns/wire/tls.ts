import { isIP } from "node:net";
import { connect, type TLSSocket } from "node:tls";
import type { Secure, SecureReply } from "./secure-transport.ts";

const CONNECT_MS = 3_000;

type Failure = Extract<SecureReply, { type: "failed" }>["failure"];

/** A TLS connection that could not be opened. */
class TlsOpenError extends Error {
  constructor(readonly failure: Failure) {
    super(failure);
  }
}

/** How a connection failed to open. */
export const openFailure = (error: unknown): Failure =>
  error instanceof TlsOpenError ? error.failure : "refused";

/**
 * Opens a TLS connection. The certificate must be valid for the host, or else the address, and signed by one of
 * `authorities` (if undefined, Node's own and those of NODE_EXTRA_CA_CERTS). HTTPS means HTTP/2.
 */
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

/** Formatted as in the URL of an HTTPS witness. */
export const authorityOf = (address: string, port: number): string =>
  `${isIP(address) === 6 ? `[${address}]` : address}:${port}`;
