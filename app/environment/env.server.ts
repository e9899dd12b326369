import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { parseRegistries } from "@deed/dns/rdap/bootstrap.ts";
import { parseRootHints } from "@deed/dns/resolve/root-hints.ts";
import { escapeUntrusted } from "@deed/dns/verdict/escape-untrusted.ts";
import * as z from "zod";
import { certificatesIn } from "./certificates.ts";
import * as format from "./formats.ts";
import { nearestName } from "./near-names.ts";
import { resolvers } from "./resolvers.ts";
import { SECRET_VARIABLES, withSecretFiles } from "./secret-files.server.ts";

const readableFile = (read: (text: string) => Iterable<unknown> | null, rule: string) =>
  z
    .string()
    .refine((path) => {
      try {
        return [...(read(readFileSync(path, "utf8")) ?? [])].length > 0;
      } catch {
        return false;
      }
    }, rule)
    .optional();

const Variables = z.object({
  NODE_ENV: format.oneOf("production", "development", "test").default("production"),
  PORT: format.port(3000),
  /** Without HOST, the service listens on `::`, or on 0.0.0.0 on a machine without IPv6. */
  HOST: format.host.optional(),
  BASE_URL: format.origin.optional(),
  DATA_DIR: z
    .string()
    .default("./data")
    .transform((text) => resolve(text)),
  DATABASE_PATH: z.string().optional(),
  SESSION_SECRET: format.secrets.optional(),
  SIGNING_KEY: format.signingKeys.optional(),
  SMTP_URL: format.smtpUrl.optional(),
  MAIL_FROM: format.mailAddress.optional(),
  OIDC_ISSUER: format.issuer.optional(),
  OIDC_CLIENT_ID: z.string().optional(),
  OIDC_CLIENT_SECRET: z.string().optional(),
  OIDC_LABEL: z.string().max(40, "at most 40 characters").optional(),
  DNS_ROOT_HINTS: readableFile(parseRootHints, "a readable file in the format of named.root"),
  DNS_TRUST_ANCHORS: format.trustAnchors,
  DNS_RESOLVERS: resolvers,
  DNS_ALLOW_ADDRESSES: format.cidrs,
  DNS_DENY_ADDRESSES: format.cidrs,
  DNS_PORT: format.port(53),
  WEBHOOK_ALLOW_ADDRESSES: format.cidrs,
  RDAP: format.oneOf("on", "off").default("on"),
  RDAP_BOOTSTRAP: readableFile(parseRegistries, "a readable bootstrap file of RFC 9224"),
  RDAP_ALLOW_ADDRESSES: format.cidrs,
  TIMESTAMP_URL: format.stampUrl.optional(),
  TIMESTAMP_ROOTS: readableFile(certificatesIn, "a readable file of certificates in PEM"),
  TRUSTED_PROXIES: format.cidrs,
  LITEFS_URL: format.origin.optional(),
  LITEFS_DATA: z.string().optional(),
  CLUSTER_NODES: format.hosts,
  CLUSTER_SECRET: z
    .string()
    .min(32, "a secret of at least 32 characters, the same on every node")
    .optional(),
  RATE_LIMIT_ZONES: format.budget("30/60"),
  RATE_LIMIT_PROOFS: format.budget("120/60"),
  RATE_LIMIT_PAGES: format.budget("1200/60"),
  RATE_LIMIT_RUNS_VERIFICATION: format.budget("1/10,20/3600"),
  RATE_LIMIT_RUNS_ACCOUNT: format.budget("60/3600"),
  RATE_LIMIT_MAIL_ADDRESS: format.budget("5/900"),
  RATE_LIMIT_MAILBOX: format.budget("20/86400"),
  RATE_LIMIT_HANDOFF_MAILS: format.budget("5/86400"),
  RATE_LIMIT_MAIL_IP: format.budget("20/3600"),
  RATE_LIMIT_VERIFY: format.budget("60/900"),
  RATE_LIMIT_API: format.budget("600/60"),
  RATE_LIMIT_KEY: format.budget("600/60"),
  RATE_LIMIT_ADDITIONS: format.budget("3000/3600,10000/86400"),
  RATE_LIMIT_DNS_ADDRESS: format.budget("50/1"),
  FIRST_READ_SECONDS: format.count(3, 10),
  LIMIT_OPEN_CLAIMS: format.count(9, 200),
  LIMIT_DOMAINS: format.count(9, 100_000),
  SIGN_UP: format.signUp,
  ADMIN: format.addresses,
  BACK_HOSTS: format.hostNames,
  DOCS_URL: format.pageUrl.optional(),
  CHALLENGE_LABEL: format.challengeLabel,
  TOKEN_PREFIX: format.tokenPrefix,
  LOG_LEVEL: format.oneOf("silent", "error", "warn", "info", "debug").default("info"),
  CLOCK_TRUSTED: format.oneOf("on", "off").default("off"),
  METRICS: format.metrics,
  METRICS_TOKEN: format.metricsToken.optional(),
});
const Environment = Variables.refine(
  ({ METRICS, PORT }) => typeof METRICS !== "object" || METRICS.port !== PORT,
  { path: ["METRICS"], error: "on, to use the service's own port, or use another port" },
);

export type RateBudget = z.output<typeof Environment>["RATE_LIMIT_API"];
export type Env = ReturnType<typeof parseEnvironment>;

/** `problems` has one line for each bad value, with its name and the allowed values. */
export class EnvironmentError extends Error {
  /** This is EX_CONFIG of sysexits.h, with which systemd does not restart the service. */
  static readonly exitCode = 78;
  readonly problems: string[];
  constructor(problems: string[], options?: ErrorOptions) {
    const lines = problems.map((problem) => escapeUntrusted(problem, Number.POSITIVE_INFINITY));
    super(lines.join("\n"), options);
    this.problems = lines;
  }
}

export const VARIABLES: readonly string[] = Object.keys(Environment.shape);

export const KNOWN_NAMES: readonly string[] = [
  ...VARIABLES,
  ...SECRET_VARIABLES.map((name) => `${name}_FILE`),
];

/** Returns the defaults in the form of settings, without variables that have no fixed default. */
export function defaults(): Record<string, string> {
  const { properties = {} } = z.toJSONSchema(Environment, { io: "input", unrepresentable: "any" });
  const entries = Object.entries(properties).flatMap(([name, schema]) =>
    typeof schema === "object" && schema.default !== undefined ? [[name, `${schema.default}`]] : [],
  );
  return Object.fromEntries(entries);
}

/** A variable set to the empty string counts as not set, except DNS_RESOLVERS. */
export const givenIn = (source: NodeJS.Dict<string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(source).flatMap(([name, value]) =>
      value || (value === "" && name === "DNS_RESOLVERS") ? [[name, value]] : [],
    ),
  );

const OIDC_CLIENT_SETTINGS = ["OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET"];
/** A node cannot generate these values, because all nodes need the same ones. */
const SAME_ON_ALL_NODES = ["SESSION_SECRET", "SIGNING_KEY", "BASE_URL", "DATABASE_PATH"];
/** If `leader` is set, `together` must be set; each of `only` may be set only then. */
const GROUPS: [leader: string, together: string[], only: string[]][] = [
  ["SMTP_URL", ["MAIL_FROM"], ["MAIL_FROM"]],
  ["OIDC_ISSUER", OIDC_CLIENT_SETTINGS, [...OIDC_CLIENT_SETTINGS, "OIDC_LABEL"]],
  ["METRICS", [], ["METRICS_TOKEN"]],
  ["LITEFS_URL", ["CLUSTER_SECRET", ...SAME_ON_ALL_NODES], []],
];

function problemsBetween(given: Record<string, string>): string[] {
  return GROUPS.flatMap(([leader, together, only]) => {
    if (given[leader] !== undefined)
      return together
        .filter((name) => given[name] === undefined)
        .map((name) => `${name} must be set if ${leader} is set`);
    const [stray] = only.filter((name) => given[name] !== undefined);
    return stray ? [`${leader} must be set if ${stray} is set`] : [];
  });
}

const misspellings = (names: string[]): string[] =>
  names.flatMap((name) => {
    const suggestion = nearestName(name, KNOWN_NAMES);
    return suggestion ? [`${name} is not a variable of Deed: did you mean ${suggestion}?`] : [];
  });

/** `dotEnv` is the part of the environment from .env, where every name is meant for Deed. */
export function parseEnvironment(source: NodeJS.Dict<string>, dotEnv: NodeJS.Dict<string> = {}) {
  const { given, problems, readableByAll } = withSecretFiles(givenIn(source));
  const result = Environment.safeParse(given);
  const fieldErrors = result.error ? z.flattenError(result.error).fieldErrors : {};
  const allProblems = [
    ...Object.entries(fieldErrors).map(([name, [message]]) => `${name} must be ${message}`),
    ...problems,
    ...(problems.length > 0 ? [] : problemsBetween(given)),
    ...misspellings(Object.keys(dotEnv)),
  ];
  if (!result.success || allProblems.length > 0) throw new EnvironmentError(allProblems);

  const { LITEFS_URL, LITEFS_DATA, CLUSTER_SECRET, CLUSTER_NODES, ...env } = result.data;
  const cluster = LITEFS_URL !== undefined &&
    CLUSTER_SECRET !== undefined && {
      litefsUrl: LITEFS_URL,
      /** LiteFS's folder, if known; litefs.yml reads the same variable. */
      litefsData: LITEFS_DATA,
      secret: CLUSTER_SECRET,
      address: format.hostOf(LITEFS_URL),
      /** The addresses of all nodes; each serves on PORT. Empty if not given. */
      nodes: CLUSTER_NODES,
    };
  const BASE_URL = env.BASE_URL ?? `http://localhost:${env.PORT}`;
  return {
    ...env,
    cluster: cluster || null,
    BASE_URL,
    isBaseUrlGiven: env.BASE_URL !== undefined,
    DATABASE_PATH: resolve(env.DATABASE_PATH ?? `${env.DATA_DIR}/deed.db`),
    DOCS_URL: env.DOCS_URL ?? `${BASE_URL}/docs`,
    /** The `<NAME>_FILE` variables with files that every user of the machine can read. */
    secretFilesReadableByAll: readableByAll,
  };
}
