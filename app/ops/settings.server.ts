import { readFileSync } from "node:fs";
import { parseRegistries } from "@deed/dns/rdap/bootstrap.ts";
import { PUBLIC_RESOLVERS } from "@deed/dns/resolve/public-resolvers.ts";
import type { ReaderSettings } from "@deed/dns/resolve/reader.ts";
import { IANA_ROOT_HINTS, parseRootHints } from "@deed/dns/resolve/root-hints.ts";
import { ANYWHERE, createOutbound, type Outbound } from "#app/core/outbound/outbound.server.ts";
import { certificatesIn } from "#app/environment/certificates.ts";
import type { Env } from "#app/environment/env.server.ts";
import type { Stamper } from "#app/features/receipts/stamps.server.ts";
import { fixedList, type RegistryList } from "#app/features/zones/registry/registries.server.ts";

/** Returns other public resolvers to ask: none in a lab, or if the operator wants no resolver asked. */
const outsideResolversOf = ({ DNS_ROOT_HINTS, DNS_RESOLVERS }: Env) =>
  DNS_ROOT_HINTS || DNS_RESOLVERS.length === 0
    ? []
    : PUBLIC_RESOLVERS.filter(
        (resolver) => !DNS_RESOLVERS.some(({ address }) => address === resolver.address),
      );

/** Throws if the DNS_ROOT_HINTS file has no root server. */
export const readerSettings = (env: Env): ReaderSettings => ({
  rootHints: env.DNS_ROOT_HINTS
    ? parseRootHints(readFileSync(env.DNS_ROOT_HINTS, "utf8"))
    : IANA_ROOT_HINTS,
  trustAnchors: env.DNS_TRUST_ANCHORS,
  witnesses: env.DNS_RESOLVERS,
  outsiders: outsideResolversOf(env),
  allowAddresses: env.DNS_ALLOW_ADDRESSES,
  denyAddresses: env.DNS_DENY_ADDRESSES,
  port: env.DNS_PORT,
  packetsPerAddress: env.RATE_LIMIT_DNS_ADDRESS,
});

/** Returns null if registries are not asked. `listOf` makes the list to use without RDAP_BOOTSTRAP. */
export function registrySettings(env: Env, listOf: (outbound: Outbound) => RegistryList) {
  if (env.RDAP === "off") return null;
  const [allowed, denied] = [env.RDAP_ALLOW_ADDRESSES, env.DNS_DENY_ADDRESSES];
  const outbound = createOutbound({ allowed, denied });
  const bootstrap = env.RDAP_BOOTSTRAP && readFileSync(env.RDAP_BOOTSTRAP, "utf8");
  const list = bootstrap ? fixedList(parseRegistries(bootstrap) ?? new Map()) : listOf(outbound);
  return { outbound, list };
}

/** Returns null if receipts are not stamped. The operator chose the server, so only clouds' internal addresses are refused. */
export function stamperOf({ TIMESTAMP_URL: url, TIMESTAMP_ROOTS: file }: Env): Stamper | null {
  if (url === undefined) return null;
  const roots = file ? certificatesIn(readFileSync(file, "utf8")) : [];
  return { url, roots, outbound: createOutbound({ allowed: ANYWHERE, denied: [] }) };
}
