import { isIPv6 } from "node:net";
import { ROOT } from "../names.ts";
import { addressPolicy } from "../wire/address.ts";
import { decodeMessage } from "../wire/message.ts";
import { buildQuery } from "../wire/query.ts";
import { shuffled } from "../wire/random.ts";
import { askOverTcp } from "../wire/tcp.ts";
import { MAX_ADDRESSES } from "./read.ts";
import type { ReaderSettings } from "./reader.ts";
import type { TimeInterval, TimeSource } from "./time-source.ts";

const ASKED = 3;
const TCP_MS = 3_000;
const SOA = 6;
/** The root zone is signed twice a day, with inception one hour before publication. */
const NEWEST_FOR_MS = 13 * 3_600_000;

type Settings = Pick<ReaderSettings, "rootHints" | "allowAddresses" | "port">;

/**
 * Derives the time from the signature of the root's SOA (RFC 4034 section 3.1.5): asks three root servers over TCP,
 * chosen at random each time. The signature is not verified, so the result is as trustworthy as the path to a majority
 * of them.
 */
export function rootTime({ rootHints, allowAddresses, port }: Settings): TimeSource {
  const permits = addressPolicy(allowAddresses);
  return {
    name: "the root servers' signatures",
    ask: async (signal) => {
      const servers = shuffled(rootHints).slice(0, ASKED);
      return Promise.all(
        servers.map(({ addresses }) => askRoot(addresses.filter(permits), port, signal)),
      );
    },
  };
}

/** Asks one root server, IPv4 first. */
async function askRoot(
  addresses: readonly string[],
  port: number,
  signal: AbortSignal,
): Promise<TimeInterval | null> {
  const inOrder = addresses.toSorted((a, b) => Number(isIPv6(a)) - Number(isIPv6(b)));
  for (const address of inOrder.slice(0, MAX_ADDRESSES)) {
    if (signal.aborted) return null;
    const query = buildQuery({ name: ROOT, type: "SOA" }, { dnssec: true });
    const reply = await askOverTcp(query, { address, port }, TCP_MS, signal);
    if (reply.type === "answer") return signedAt(reply.bytes);
  }
  return null;
}

/** Inception of the newest signature of the root's SOA in an answer, and until when it can be the newest. */
function signedAt(bytes: Buffer): TimeInterval | null {
  const signatures = (decodeMessage(bytes)?.answers ?? []).flatMap((record) =>
    record.type === "RRSIG" && record.name === ROOT && record.covers === SOA ? [record] : [],
  );
  if (signatures.length === 0) return null;
  const from = 1000 * Math.max(...signatures.map(({ inception }) => inception));
  return { from, to: from + NEWEST_FOR_MS };
}
