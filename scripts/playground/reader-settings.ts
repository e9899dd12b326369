import { readFileSync } from "node:fs";
import type { ReaderSettings } from "#app/dns/resolve/reader.ts";
import { parseRootHints } from "#app/dns/resolve/root-hints.ts";
import { parseEnvironment } from "#app/env.server.ts";

/** The settings the service derives from the DNS part of its environment, for tests that need only the reader. */
export function readerSettings(
  dns: Record<string, string> & { DNS_ROOT_HINTS: string },
): ReaderSettings {
  const env = parseEnvironment(dns);
  return {
    rootHints: parseRootHints(readFileSync(dns.DNS_ROOT_HINTS, "utf8")),
    witnesses: env.DNS_RESOLVERS,
    allowAddresses: env.DNS_ALLOW_ADDRESSES,
    denyAddresses: env.DNS_DENY_ADDRESSES,
    port: env.DNS_PORT,
    packetsPerAddress: env.RATE_LIMIT_DNS_ADDRESS,
  };
}
