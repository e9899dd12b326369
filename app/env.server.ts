import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import { resolve } from "node:path";
import ipaddr from "ipaddr.js";
import * as z from "zod";

const isCidr = (text: string) => {
  try {
    ipaddr.parseCIDR(text);
    return true;
  } catch {
    return false;
  }
};

const splitList = (text: string) =>
  text
    .split(",")
    .map((part) => part.trim())
    .filter(Boolean);

const cidrs = z
  .string()
  .default("")
  .transform(splitList)
  .refine(
    (parts) => parts.every(isCidr),
    "a comma-separated list of CIDRs, such as 10.0.0.0/8,fd00::/8",
  );

const port = (fallback: number) =>
  z
    .string()
    .regex(/^\d{1,5}$/, "a port number from 1 to 65535")
    .transform(Number)
    .refine((value) => value >= 1 && value <= 65535, "a port number from 1 to 65535")
    .default(fallback);

const origin = z
  .string()
  .refine(
    (text) =>
      URL.canParse(text) &&
      /^https?:$/.test(new URL(text).protocol) &&
      new URL(text).pathname === "/" &&
      new URL(text).search === "" &&
      new URL(text).username === "",
    "an http or https origin without a path, such as https://deed.example.org",
  )
  .transform((text) => new URL(text).origin);

const budget = (fallback: string) =>
  z
    .string()
    .regex(
      /^[1-9]\d{0,8}\/[1-9]\d{0,6}(,[1-9]\d{0,8}\/[1-9]\d{0,6})*$/,
      "count/seconds, several joined by commas, such as 1/10,20/3600",
    )
    .default(fallback)
    .transform((text) =>
      text.split(",").map((part) => {
        const [count, seconds] = part.split("/");
        return { count: Number(count), seconds: Number(seconds) };
      }),
    );

const RESOLVER =
  /^([a-z0-9-]{1,32})=(?:(https|tls):\/\/(?:([a-z0-9.-]{1,253})@)?)?(?:\[([0-9a-f:.]+)\]|([0-9.]+))(?::(\d{1,5}))?(\/[\w/.~%?=&:;+@!$*()-]*)?$/i;
const BARE_IPV6 = /^([a-z0-9-]{1,32})=([0-9a-f:]+)$/i;
const PORTS = { https: 443, tls: 853 };

/**
 * One entry of DNS_RESOLVERS; null if it is invalid. `host`: the name before the @, which the certificate must match.
 */
function resolverOf(text: string) {
  const entry = text.replace(BARE_IPV6, "$1=[$2]");
  const [, name, scheme, host, ipv6, ipv4, given, path = ""] = RESOLVER.exec(entry) ?? [];
  const transport = scheme?.toLowerCase() as keyof typeof PORTS | undefined;
  const address = ipv6 ?? ipv4 ?? "";
  const port = Number(given ?? (transport ? PORTS[transport] : 53));
  if (!name || isIP(address) !== (ipv6 ? 6 : 4) || port < 1 || port > 65535) return null;
  // An HTTPS resolver needs a path; the others must have none.
  if (transport === "https" ? path.length < 2 : path !== "") return null;
  if (!transport) return { name, address, port };
  return { name, address, port, secure: { transport, host: host?.toLowerCase() ?? null, path } };
}

const resolvers = z
  .string()
  .default(
    "cloudflare=https://1.1.1.1/dns-query,google=https://8.8.8.8/dns-query,quad9=https://9.9.9.9/dns-query",
  )
  .transform((text, context) => {
    const parsed = splitList(text).map(resolverOf);
    const known = parsed.filter((one) => one !== null);
    if (known.length === parsed.length) return known;
    context.addIssue({
      code: "custom",
      message:
        "entries of the form name=https://address[:port]/path, name=tls://address[:port] or name=address[:port] (plain port 53) joined by commas, such as quad9=https://9.9.9.9/dns-query, or empty for none",
    });
    return z.NEVER;
  });

const label = z
  .string()
  .regex(
    /^_?[a-z0-9]([a-z0-9-]{0,60}[a-z0-9])?$/,
    "one lower-case DNS label of at most 62 characters, such as _service-challenge",
  )
  .default("_service-challenge");

const Environment = z.object({
  NODE_ENV: z
    .enum(["production", "development", "test"], "production, development or test")
    .default("production"),
  PORT: port(3000),
  /** If unset, all addresses: `::`, or 0.0.0.0 on a machine without IPv6. */
  HOST: z.string().optional(),
  BASE_URL: origin.optional(),
  DATA_DIR: z
    .string()
    .default("./data")
    .transform((text) => resolve(text)),
  DATABASE_PATH: z.string().optional(),
  SESSION_SECRET: z
    .string()
    .transform(splitList)
    .refine(
      (all) => all.every((secret) => secret.length >= 32),
      "secrets of at least 32 characters each, newest first, joined by commas",
    )
    .optional(),
  SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\/\S+$/, "an smtp:// or smtps:// URL")
    .optional(),
  MAIL_FROM: z
    .string()
    .regex(
      /^[^\r\n]*[^\s@]+@[^\s@]+$|^[^\r\n]*<[^\s@]+@[^\s@]+>$/,
      "a mail address, such as Deed <deed@example.org>",
    )
    .optional(),
  OIDC_ISSUER: z
    .string()
    .refine(
      (text) =>
        URL.canParse(text) &&
        (new URL(text).protocol === "https:" ||
          /^http:\/\/(localhost|127(\.\d+){3}|\[::1\])(:\d+)?(\/|$)/.test(text)),
      "the issuer's https URL (plain http on loopback only)",
    )
    .optional(),
  OIDC_CLIENT_ID: z.string().optional(),
  OIDC_CLIENT_SECRET: z.string().optional(),
  OIDC_LABEL: z.string().max(40, "at most 40 characters").optional(),
  DNS_ROOT_HINTS: z.string().optional(),
  DNS_RESOLVERS: resolvers,
  DNS_ALLOW_ADDRESSES: cidrs,
  DNS_DENY_ADDRESSES: cidrs,
  DNS_PORT: port(53),
  TRUSTED_PROXIES: cidrs,
  LITEFS_URL: origin.optional(),
  CLUSTER_SECRET: z
    .string()
    .min(32, "a secret of at least 32 characters, the same on every node")
    .optional(),
  RATE_LIMIT_ZONES: budget("30/60"),
  RATE_LIMIT_PROOFS: budget("120/60"),
  RATE_LIMIT_RUNS_VERIFICATION: budget("1/10,20/3600"),
  RATE_LIMIT_RUNS_ACCOUNT: budget("60/3600"),
  RATE_LIMIT_MAIL_ADDRESS: budget("5/900"),
  RATE_LIMIT_MAILBOX: budget("20/86400"),
  RATE_LIMIT_MAIL_IP: budget("20/3600"),
  RATE_LIMIT_VERIFY: budget("60/900"),
  RATE_LIMIT_API: budget("600/60"),
  RATE_LIMIT_DNS_ADDRESS: budget("3000/60"),
  FIRST_READ_SECONDS: z
    .string()
    .regex(/^[1-9]\d{0,2}$/, "a whole number from 1 to 999")
    .transform(Number)
    .default(30),
  LIMIT_OPEN_CLAIMS: z
    .string()
    .regex(/^[1-9]\d{0,8}$/, "a whole number from 1")
    .transform(Number)
    .default(200),
  DOCS_URL: z
    .string()
    .refine((text) => URL.canParse(text), "an absolute URL")
    .transform((text) => text.replace(/\/+$/, ""))
    .optional(),
  CHALLENGE_LABEL: label,
  TOKEN_PREFIX: z
    .string()
    .regex(/^[a-z0-9_-]{1,32}$/, "1 to 32 of a-z, 0-9, _ and -")
    .default("service_v1_"),
  LOG_LEVEL: z
    .enum(["silent", "error", "warn", "info", "debug"], "silent, error, warn, info or debug")
    .default("info"),
  CLOCK_TRUSTED: z.enum(["on", "off"], "on or off").default("off"),
  METRICS: z.enum(["on", "off"], "on or off").default("off"),
});

type Parsed = z.output<typeof Environment>;
export type RateBudget = Parsed["RATE_LIMIT_API"];
export type Env = Omit<
  Parsed,
  "BASE_URL" | "DATABASE_PATH" | "DOCS_URL" | "LITEFS_URL" | "CLUSTER_SECRET"
> & {
  /** Null on a single node, the default. */
  cluster: { litefsUrl: string; secret: string } | null;
  BASE_URL: string;
  /** Whether BASE_URL was set, rather than derived from the port. */
  baseUrlGiven: boolean;
  DATABASE_PATH: string;
  DOCS_URL: string;
};

/** A bad environment variable. `message` is one line with its name and the accepted values. */
export class EnvironmentError extends Error {}

/** What must be set on every node of a cluster, because nodes cannot generate it independently. */
const CLUSTER_VARIABLES = [
  "CLUSTER_SECRET",
  "SESSION_SECRET",
  "BASE_URL",
  "DATABASE_PATH",
] as const;

function clusterOf(env: Parsed): Env["cluster"] {
  const { LITEFS_URL: litefsUrl, CLUSTER_SECRET: secret } = env;
  if (!litefsUrl) return null;
  const missing = CLUSTER_VARIABLES.find((name) => env[name] === undefined);
  if (missing || !secret) throw new EnvironmentError(`${missing} must be set where LITEFS_URL is`);
  return { litefsUrl, secret };
}

/**
 * Parses the environment once, at startup. A variable set to the empty string counts as unset, except DNS_RESOLVERS.
 * Throws an EnvironmentError on a bad value.
 */
export function parseEnvironment(source: Record<string, string | undefined>): Env {
  const given = Object.fromEntries(
    Object.entries(source).filter(([name, value]) => value !== "" || name === "DNS_RESOLVERS"),
  );
  const result = Environment.safeParse(given);
  if (!result.success) {
    const issue = result.error.issues[0];
    throw new EnvironmentError(`${String(issue?.path[0])} must be ${issue?.message}`);
  }
  const env = result.data;
  if (env.OIDC_ISSUER && !(env.OIDC_CLIENT_ID && env.OIDC_CLIENT_SECRET)) {
    throw new EnvironmentError(
      "OIDC_CLIENT_ID and OIDC_CLIENT_SECRET must be set where OIDC_ISSUER is",
    );
  }
  const cluster = clusterOf(env);
  if (env.SMTP_URL && !env.MAIL_FROM) {
    throw new EnvironmentError(
      "MAIL_FROM must be set where SMTP_URL is: the address mail comes from",
    );
  }
  if (env.DNS_ROOT_HINTS) {
    try {
      readFileSync(env.DNS_ROOT_HINTS);
    } catch {
      throw new EnvironmentError("DNS_ROOT_HINTS must be a readable file in named.root form");
    }
  }
  const baseUrl = env.BASE_URL ?? `http://localhost:${env.PORT}`;
  const { LITEFS_URL: _, CLUSTER_SECRET: __, ...rest } = env;
  return {
    ...rest,
    cluster,
    BASE_URL: baseUrl,
    baseUrlGiven: env.BASE_URL !== undefined,
    DATABASE_PATH: resolve(env.DATABASE_PATH ?? `${env.DATA_DIR}/deed.db`),
    DOCS_URL: env.DOCS_URL ?? `${baseUrl}/docs`,
  };
}
