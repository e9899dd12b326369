import type { ChallengeRecord } from "../resources.ts";

export type RecordSnippets = ReturnType<typeof recordSnippets>;

const TTL_SECONDS = 300;
const SERVERS_SHOWN = 4;
/** Names safe to paste into a shell; any other is left out of the commands. */
const PLAIN_NAME = /^[a-z0-9_]([a-z0-9._-]*[a-z0-9])?$/i;

/** The record as a zone-file line, in octoDNS, as nsupdate input (RFC 2136), and the dig commands that check it. */
export function recordSnippets(
  { name, value }: Pick<ChallengeRecord, "name" | "value">,
  zone: string | null,
  nameservers: readonly string[],
) {
  const servers = nameservers.filter((host) => PLAIN_NAME.test(host)).slice(0, SERVERS_SHOWN);
  const holder = zone ?? name.slice(name.indexOf(".") + 1);
  // Relative to the zone, "" at its apex; quoted, since `@` and a leading `*` mean more in YAML.
  const host = name === holder ? "" : name.slice(0, -holder.length - 1);
  return {
    bind: `${name}. ${TTL_SECONDS} IN TXT "${value}"`,
    octodns: [`"${host}":`, "  type: TXT", `  ttl: ${TTL_SECONDS}`, `  value: "${value}"`].join(
      "\n",
    ),
    nsupdate: [
      ...(zone && PLAIN_NAME.test(zone) ? [`zone ${zone}.`] : []),
      `update add ${name}. ${TTL_SECONDS} TXT "${value}"`,
      "send",
    ].join("\n"),
    dig:
      servers.length > 0
        ? servers.map((host) => `dig +norecurse TXT ${name} @${host}`)
        : [`dig +trace TXT ${name}`],
  };
}
