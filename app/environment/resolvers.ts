import { isIP } from "node:net";
import { PUBLIC_RESOLVERS } from "@deed/dns/resolve/public-resolvers.ts";
import * as z from "zod";
import { refuse, splitList } from "./formats.ts";

const RESOLVER =
  /^([a-z0-9-]{1,32})=(?:(https|tls):\/\/(?:([a-z0-9.-]{1,253})@)?)?(?:\[([0-9a-f:.]+)\]|([0-9.]+))(?::(\d{1,5}))?(\/[\w/.~%?=&:;+@!$*()-]*)?$/i;
const BARE_IPV6 = /^([a-z0-9-]{1,32})=([0-9a-f:]+)$/i;
const PORTS = { https: 443, tls: 853 };

/** Reads one entry, or returns null if it is invalid. `host` is the name before the @, which the certificate must match. */
function resolverOf(text: string) {
  const entry = text.replace(BARE_IPV6, "$1=[$2]");
  const [, name, scheme, host, ipv6, ipv4, portText, path = ""] = RESOLVER.exec(entry) ?? [];
  const transport = scheme?.toLowerCase() as keyof typeof PORTS | undefined;
  const address = ipv6 ?? ipv4 ?? "";
  const port = Number(portText ?? (transport ? PORTS[transport] : 53));
  if (!name || isIP(address) !== (ipv6 ? 6 : 4) || port < 1 || port > 65535) return null;
  // An HTTPS resolver needs a path; other resolvers must have none.
  if (transport === "https" ? path.length < 2 : path !== "") return null;
  if (!transport) return { name, address, port };
  return { name, address, port, secure: { transport, host: host?.toLowerCase() ?? null, path } };
}

const entryOf = ({ name, address, secure }: (typeof PUBLIC_RESOLVERS)[number]) =>
  `${name}=https://${address}${secure?.path}`;

export const resolvers = z
  .string()
  .default(PUBLIC_RESOLVERS.map(entryOf).join())
  .transform((text, context) => {
    const entries = splitList(text).map(resolverOf);
    const validEntries = entries.filter((entry) => entry !== null);
    if (validEntries.length === entries.length) return validEntries;
    return refuse(
      context,
      "entries of the form name=https://address[:port]/path, name=tls://address[:port] or name=address[:port] (plain port 53) joined by commas, such as quad9=https://9.9.9.9/dns-query, or empty for none",
    );
  });
