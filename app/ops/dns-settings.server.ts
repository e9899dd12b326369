import { readFileSync } from "node:fs";
import type { ReaderSettings } from "@deed/dns/resolve/reader.ts";
import { IANA_ROOT_HINTS, parseRootHints } from "@deed/dns/resolve/root-hints.ts";
import type { Env } from "#app/ops/environment/env.server.ts";

/** How the service, and the commands beside it, read DNS. Throws if DNS_ROOT_HINTS names no root server. */
export const readerSettings = (env: Env): ReaderSettings => ({
  rootHints: env.DNS_ROOT_HINTS
    ? parseRootHints(readFileSync(env.DNS_ROOT_HINTS, "utf8"))
    : IANA_ROOT_HINTS,
  trustAnchors: env.DNS_TRUST_ANCHORS,
  witnesses: env.DNS_RESOLVERS,
  allowAddresses: env.DNS_ALLOW_ADDRESSES,
  denyAddresses: env.DNS_DENY_ADDRESSES,
  port: env.DNS_PORT,
  packetsPerAddress: env.RATE_LIMIT_DNS_ADDRESS,
});
