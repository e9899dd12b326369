import { readFileSync } from "node:fs";
import { httpsTime } from "#app/dns/resolve/https-time.ts";
import type { ReaderSettings } from "#app/dns/resolve/reader.ts";
import { IANA_ROOT_HINTS, parseRootHints } from "#app/dns/resolve/root-hints.ts";
import { rootTime } from "#app/dns/resolve/root-time.ts";
import type { TimeSource } from "#app/dns/resolve/time-source.ts";
import type { Env } from "./env.server.ts";

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

/** Who else knows the time: the witnesses over HTTPS, whose answers carry a Date, and the root servers. */
export const timeSources = (
  settings: Pick<
    ReaderSettings,
    "rootHints" | "witnesses" | "allowAddresses" | "port" | "authorities"
  >,
): TimeSource[] => [
  ...settings.witnesses.flatMap(({ secure, ...witness }) =>
    secure?.transport === "https" ? [httpsTime({ ...witness, secure }, settings.authorities)] : [],
  ),
  rootTime(settings),
];
