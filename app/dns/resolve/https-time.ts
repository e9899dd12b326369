import type { ClientSessionOptions, SecureClientSessionOptions } from "node:http2";
import { isIP, isIPv6 } from "node:net";
import type { TimeSource } from "./time-source.ts";

const ANSWER_MS = 5_000;
/** `Date` has a precision of whole seconds (RFC 9110 section 5.6.7). */
const PRECISION_MS = 1_000;
/**
 * A query for the root's nameservers, sent by POST so that no cache answers with an old `Date` (RFC 8484 section 5.1).
 */
const QUERY = Buffer.from("0000010000010000000000000000020001", "hex");

/** A witness that answers over HTTPS. */
export type HttpsWitness = {
  name: string;
  address: string;
  port: number;
  /** `host`: the name its certificate must have; its address if null. */
  secure: { host: string | null; path: string };
};

/** Time source that uses the `Date` of a witness's answers. `authorities`: CA certificates (PEM); default Node's. */
export function httpsTime(witness: HttpsWitness, authorities?: string[]): TimeSource {
  return {
    name: `the Date of ${witness.name}`,
    ask: async (signal) => {
      const date = await askDate(witness, signal, authorities);
      return [date === null ? null : { from: date, to: date + PRECISION_MS }];
    },
  };
}

/**
 * The `Date` of a response over HTTP/2, whatever its status, epoch milliseconds; null if there is none within five
 * seconds. The certificate's dates are checked against the system clock, so a badly wrong clock gets no answer. Never
 * rejects.
 */
export async function askDate(
  { address, port, secure: { host, path } }: HttpsWitness,
  signal: AbortSignal,
  authorities?: string[],
): Promise<number | null> {
  // Loaded on demand to shorten startup.
  const { connect } = await import("node:http2");
  const options: ClientSessionOptions & SecureClientSessionOptions = {
    // Overrides NODE_TLS_REJECT_UNAUTHORIZED.
    rejectUnauthorized: true,
    // Connects to the configured address without a DNS lookup.
    lookup: (_name, { all }, done) =>
      all ? done(null, [{ address, family: isIP(address) }]) : done(null, address, isIP(address)),
    ...(authorities ? { ca: authorities } : {}),
  };
  const at = host ?? (isIPv6(address) ? `[${address}]` : address);
  return new Promise((resolve) => {
    const session = connect(`https://${at}:${port}`, options);
    const finish = (date: number | null) => {
      clearTimeout(timer);
      signal.removeEventListener("abort", giveUp);
      session.destroy();
      resolve(date);
    };
    const giveUp = () => finish(null);
    const timer = setTimeout(giveUp, ANSWER_MS);
    signal.addEventListener("abort", giveUp, { once: true });
    session.on("error", giveUp);
    session.on("close", giveUp);
    const stream = session.request({
      ":method": "POST",
      ":path": path,
      "content-type": "application/dns-message",
      accept: "application/dns-message",
    });
    stream.on("response", (headers) => {
      const date = Date.parse(headers.date ?? "");
      finish(Number.isNaN(date) ? null : date);
    });
    stream.on("error", giveUp);
    stream.end(QUERY);
    if (signal.aborted) giveUp();
  });
}
