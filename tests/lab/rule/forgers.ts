import { rows } from "./row.ts";

const SECURE = ["tls", "https", "impersonatedTls", "impersonatedHttps"];
const isPassedOn = (resolvers: string) => ["tls", "https"].includes(resolvers);

/** A forger on the uplink answers all the reader's questions, except those that cannot be forged. */
export const FORGED_ATTACKS = [
  ...[...SECURE, "impersonated", "none"].flatMap((resolvers) => {
    const comesTo = isPassedOn(resolvers) ? "absent_or_unresolvable" : "not_secure";
    return rows(
      `
a forged root: a zone of .com; resolvers: ${resolvers} | not1
a forged root: a zone of .example; resolvers: ${resolvers} | not1 | tld=example`,
      `uplink=forged resolvers=${resolvers} comesTo=${comesTo}`,
    );
  }),
  ...SECURE.flatMap((resolvers) =>
    rows(`
forged nameservers of an unsigned zone; resolvers: ${resolvers} | not1 \
| uplink=diverted resolvers=${resolvers} comesTo=${isPassedOn(resolvers) ? "cached" : "unresolvable"}`),
  ),
  ...[...SECURE, "gullible", "forged", "none"].flatMap((resolvers) =>
    rows(`
forged nameservers of a signed zone; resolvers: ${resolvers} | not1 | tld=example \
uplink=diverted signed=not:now resolvers=${resolvers} comesTo=absent_or_unresolvable`),
  ),
];

/** Attacks that only resolvers over TLS or HTTPS could reveal (docs/security.md, Not defended against). */
export const UNDEFENDED = rows(
  `
forged nameservers of an unsigned zone; resolvers: none | not1 | resolvers=none
forged nameservers of an unsigned zone; resolvers: impersonated | not1 | resolvers=impersonated`,
  "uplink=diverted",
);
