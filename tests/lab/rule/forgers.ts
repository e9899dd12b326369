import type { Attack, Resolvers, Row } from "./row.ts";
import { NOW } from "./signed.ts";

const SECURE: Resolvers[] = ["relayedTls", "relayedHttps", "impersonatedTls", "impersonatedHttps"];
const FAILS = /^(absent servfail|unresolvable)$/;
const DENIED = /^(absent |unresolvable$)/;

/** Everything that the reader asks is answered by a forger on its uplink, except what he cannot forge. */
export const FORGED_ATTACKS: Attack[] = [
  ...([...SECURE, "impersonated", "none"] as const).flatMap((resolvers) =>
    (["com", "example"] as const).map(
      (tld): Attack => ({
        title: `a forged root: a zone of .${tld}; resolvers: ${resolvers}`,
        tld,
        uplink: "forged",
        servers: ["not1"],
        resolvers,
        comesTo: resolvers.startsWith("relayed") ? DENIED : FAILS,
      }),
    ),
  ),
  ...SECURE.map(
    (resolvers): Attack => ({
      title: `forged nameservers of an unsigned zone; resolvers: ${resolvers}`,
      uplink: "diverted",
      servers: ["not1"],
      resolvers,
      comesTo: resolvers.startsWith("relayed") ? /^absent negative_cache$/ : /^unresolvable$/,
    }),
  ),
  ...([...SECURE, "gullible", "forged", "none"] as const).map(
    (resolvers): Attack => ({
      title: `forged nameservers of a signed zone; resolvers: ${resolvers}`,
      tld: "example",
      uplink: "diverted",
      servers: ["not1"],
      signed: { not: NOW },
      resolvers,
      comesTo: DENIED,
    }),
  ),
];

/** What nobody but resolvers over TLS or HTTPS could show (docs/security.md, Not defended against). */
export const UNDEFENDED: Row[] = [
  ...(["none", "impersonated"] as const).map((resolvers) => ({
    title: `forged nameservers of an unsigned zone; resolvers: ${resolvers}`,
    uplink: "diverted" as const,
    servers: ["not1"],
    resolvers,
  })),
];
