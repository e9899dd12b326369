import { type Attack, attack, honest, type Resolvers, type Row } from "./row.ts";
import { NOW } from "./signed.ts";

const SECURE: Resolvers[] = ["tls", "https", "impersonatedTls", "impersonatedHttps"];
const PASSED_ON: Resolvers[] = ["tls", "https"];
const FAILS = /^(absent servfail|unresolvable)$/;
const DENIED = /^(absent |unresolvable$)/;

/** Everything that the reader asks is answered by a forger on its uplink, except what he cannot forge. */
export const FORGED_ATTACKS: Attack[] = [
  ...([...SECURE, "impersonated", "none"] as const).flatMap((resolvers) =>
    (["com", "example"] as const).map((tld) =>
      attack(
        `a forged root: a zone of .${tld}; resolvers: ${resolvers}`,
        ["not1"],
        PASSED_ON.includes(resolvers) ? DENIED : FAILS,
        { tld, uplink: "forged", resolvers },
      ),
    ),
  ),
  ...SECURE.map((resolvers) =>
    attack(
      `forged nameservers of an unsigned zone; resolvers: ${resolvers}`,
      ["not1"],
      PASSED_ON.includes(resolvers) ? /^absent negative_cache$/ : /^unresolvable$/,
      { uplink: "diverted", resolvers },
    ),
  ),
  ...([...SECURE, "gullible", "forged", "none"] as const).map((resolvers) =>
    attack(`forged nameservers of a signed zone; resolvers: ${resolvers}`, ["not1"], DENIED, {
      tld: "example",
      uplink: "diverted",
      signed: { not: NOW },
      resolvers,
    }),
  ),
];

/** What nobody but resolvers over TLS or HTTPS could show (docs/security.md, Not defended against). */
export const UNDEFENDED: Row[] = [
  ...(["none", "impersonated"] as const).map((resolvers) =>
    honest(`forged nameservers of an unsigned zone; resolvers: ${resolvers}`, ["not1"], {
      uplink: "diverted" as const,
      resolvers,
    }),
  ),
];
