import ipaddr from "ipaddr.js";
import { type Env, KNOWN_NAMES } from "./env.server.ts";
import { DEFAULT_LABEL, isLoopbackHost } from "./formats.ts";
import { deedNameFor, nearestName } from "./near-names.ts";

/** `code` is stable; `message` says what to do. */
export type Warning = { code: string; variable: string; message: string };

type WarningRule = [variable: string, applies: (env: Env) => boolean, message: string];

const hostOf = (env: Env) => new URL(env.BASE_URL).hostname;
const isHttps = (env: Env) => env.BASE_URL.startsWith("https:");
const isPublic = (env: Env) => env.NODE_ENV === "production" && !isLoopbackHost(hostOf(env));
/** Whether strangers may reach this address: any but plain http on loopback. */
export const isReachable = (env: Env) => isHttps(env) || !isLoopbackHost(hostOf(env));
const listensToOthers = ({ HOST }: Env) => HOST === undefined || !isLoopbackHost(HOST);
const isPublicAddress = (address: string) => ipaddr.parse(address).range() === "unicast";

const RULES: Record<string, WarningRule> = {
  no_base_url: [
    "BASE_URL",
    (env) => env.NODE_ENV === "production" && !env.isBaseUrlGiven && listensToOthers(env),
    "BASE_URL is not set, so links in emails lead to localhost: set it to the public address of the service",
  ],
  base_url_unencrypted: [
    "BASE_URL",
    (env) => !isHttps(env) && !isLoopbackHost(hostOf(env)),
    "BASE_URL is plain http, so anyone on the path can take over a session: serve it over https",
  ],
  no_mail: [
    "SMTP_URL",
    (env) => isPublic(env) && !env.SMTP_URL,
    "SMTP_URL is not set, so emails are only written to the outbox: set it, and MAIL_FROM",
  ],
  open_sign_up: [
    "SIGN_UP",
    (env) => env.SIGN_UP === "open" && isReachable(env),
    "SIGN_UP is open, so anybody who reaches the service may open an account: set it to closed, or to addresses and @domains",
  ],
  no_trusted_proxies: [
    "TRUSTED_PROXIES",
    (env) => isHttps(env) && env.TRUSTED_PROXIES.length === 0,
    "BASE_URL is https and TRUSTED_PROXIES is empty, so all clients share the limits of the proxy's address: set TRUSTED_PROXIES to that address",
  ],
  all_proxies_trusted: [
    "TRUSTED_PROXIES",
    (env) => env.TRUSTED_PROXIES.some((cidr) => /\/0+$/.test(cidr)),
    "TRUSTED_PROXIES contains every address, so each client can choose the address it is counted by: list only the proxies",
  ],
  no_dns_resolvers: [
    "DNS_RESOLVERS",
    (env) => env.DNS_RESOLVERS.length === 0,
    "DNS_RESOLVERS is empty, so no witness confirms what the nameservers say, and DNSSEC is not checked",
  ],
  plain_dns_resolvers: [
    "DNS_RESOLVERS",
    (env) => env.DNS_RESOLVERS.some(({ secure, address }) => !secure && isPublicAddress(address)),
    "DNS_RESOLVERS names public resolvers in plain text, whose answers anyone on the path can forge: use https:// or tls://",
  ],
  no_time_source: [
    "CLOCK_TRUSTED",
    ({ CLOCK_TRUSTED, DNS_RESOLVERS }) =>
      CLOCK_TRUSTED === "off" && !DNS_RESOLVERS.some(({ secure }) => secure?.transport === "https"),
    "DNS_RESOLVERS has no https:// entry, so nobody can confirm the clock after days of downtime: keep the clock right with NTP and set CLOCK_TRUSTED=on",
  ],
  default_challenge_label: [
    "CHALLENGE_LABEL",
    (env) => isPublic(env) && env.CHALLENGE_LABEL === DEFAULT_LABEL,
    "CHALLENGE_LABEL is the default, so a dishonest service can make its users add the record of a stranger's claim here, and then the stranger has proved their domain: set it to a label with your own name, such as _example-challenge",
  ],
  public_metrics: [
    "METRICS",
    (env) => env.METRICS === "on" && env.METRICS_TOKEN === undefined,
    "METRICS=on shows /metrics to everyone who reaches the service: set METRICS=127.0.0.1:9464, or METRICS_TOKEN",
  ],
  shared_secret: [
    "SESSION_SECRET",
    (env) => env.SESSION_SECRET?.includes(env.cluster?.secret ?? "") ?? false,
    "SESSION_SECRET and CLUSTER_SECRET are the same: generate a new one for one of them",
  ],
  no_cluster_nodes: [
    "CLUSTER_NODES",
    (env) => env.cluster !== null && env.cluster.nodes.length === 0,
    "CLUSTER_NODES is not set, so an old primary that comes back would write: set it to the addresses of all nodes",
  ],
};

export function warningsOf(env: Env): Warning[] {
  const warnings = Object.entries(RULES).flatMap(([code, [variable, applies, message]]) =>
    applies(env) ? [{ code, variable, message }] : [],
  );
  const readableFiles = env.secretFilesReadableByAll.map((variable) => ({
    code: "secret_file_readable",
    variable,
    message: `the file of ${variable} can be read by every user of the machine: change its mode to 0600`,
  }));
  return [...warnings, ...readableFiles];
}

const PREFIX = "DEED_";

function suggestedVariable(name: string, given: NodeJS.Dict<string>): string | null {
  const bare = name.slice(PREFIX.length);
  // If its service is called deed, Kubernetes sets DEED_PORT=tcp://…
  if (name.startsWith(PREFIX) && KNOWN_NAMES.includes(bare) && !given[name]?.startsWith("tcp://"))
    return bare;
  const suggestion = nearestName(name, KNOWN_NAMES);
  if (suggestion) return suggestion;
  const usualName = deedNameFor(name);
  return usualName && !given[usualName] && !given[`${usualName}_FILE`] ? usualName : null;
}

/** Warns about names that look misspelled. Those in .env were refused earlier, as bad values. */
export function unknownNames(given: NodeJS.Dict<string>, dotEnv: NodeJS.Dict<string>): Warning[] {
  return Object.keys(given).flatMap((name) => {
    if (KNOWN_NAMES.includes(name)) return [];
    const suggestion = suggestedVariable(name, given);
    // Only names in capitals are reported, because the last line of a multi-line key may look like a name too.
    const isReported = suggestion || (dotEnv[name] !== undefined && /^[A-Z][A-Z0-9_]*$/.test(name));
    if (!isReported) return [];
    const message = suggestion
      ? `${name} is not a variable of Deed: set ${suggestion} instead`
      : `${name} in .env is not a variable of Deed`;
    return [{ code: "unknown_variable", variable: name, message }];
  });
}
