import type { ClientSessionOptions, SecureClientSessionOptions } from "node:http2";
import type { TimeSource } from "./time-source.ts";

const ANSWER_MS = 5_000;
/** `Date` is in whole seconds (RFC 9110 section 5.6.7). */
const PRECISION_MS = 1_000;
/** A query for the root's nameservers, over POST so that no cache answers with an older `Date` (RFC 8484 section 5.1). */
const QUERY = Buffer.from("00000100000100000000000000" + "00020001", "hex");

type Tls = ClientSessionOptions & SecureClientSessionOptions;

/** The `Date` of a witness's answers over HTTPS. */
export function httpsTime({ name, url }: { name: string; url: string }): TimeSource {
  return {
    name: `the Date of ${name}`,
    ask: async (signal) => {
      const date = await askDate(url, signal);
      return [date === null ? null : { from: date, to: date + PRECISION_MS }];
    },
  };
}

/**
 * The `Date` of an answer over HTTP/2, whatever its status, epoch milliseconds; null where there is none within five
 * seconds. The certificate is checked as always, its dates by the system's clock: one that is wrong by much agrees with
 * nobody. Never rejects.
 */
export async function askDate(
  url: string,
  signal: AbortSignal,
  tls: Tls = {},
): Promise<number | null> {
  // Loaded by those who need it alone: the start is shorter without.
  const { connect } = await import("node:http2");
  return new Promise((resolve) => {
    const session = connect(url, tls);
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
    const { pathname, search } = new URL(url);
    const stream = session.request({
      ":method": "POST",
      ":path": pathname + search,
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
