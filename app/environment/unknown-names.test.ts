import { expect, it } from "vitest";
import { parseEnvironment, VARIABLES } from "./env.server.ts";
import { deedNameFor, nearestName } from "./near-names.ts";
import { unknownNames } from "./warnings.ts";

const told = (given: Record<string, string>, dotEnv: Record<string, string> = {}) =>
  unknownNames({ ...dotEnv, ...given }, dotEnv).map(({ message }) => message);

const pairsIn = (text: string) => text.match(/\w+:\w+/g)?.map((pair) => pair.split(":")) ?? [];

/** A name, and the variable of Deed that was probably meant. */
const MEANT = `
  ADMINS:ADMIN ADMIN_EMAIL:ADMIN SITE_URL:BASE_URL DATABASE_URL:DATABASE_PATH
  EMAIL_FROM:MAIL_FROM SMTP_HOST:SMTP_URL SMTP_PASSWORD:SMTP_URL TRUST_PROXY:TRUSTED_PROXIES
  OIDC_ISSUER_URL:OIDC_ISSUER OPENID_PROVIDER_URI:OIDC_ISSUER DNS_SERVERS:DNS_RESOLVERS
  DNS_NAMESERVER:DNS_RESOLVERS PROT:PORT LOGLEVEL:LOG_LEVEL DEED_PORT:PORT
  DEED_SMTP_URL_FILE:SMTP_URL_FILE`;

it.each(pairsIn(MEANT))("%s is named with %s", (name = "", meant) => {
  expect(told({ [name]: "x" })).toEqual([
    `${name} is not a variable of Deed: set ${meant} instead`,
  ]);
  expect(told({}, { [name]: "x" })).toHaveLength(1);
});

it("ends no start for a name that may be another program's, and one for a slip in .env", () => {
  const slip = { LOGLEVEL: "debug" };
  expect(parseEnvironment(slip).LOG_LEVEL).toBe("info");
  expect(() => parseEnvironment(slip, slip)).toThrow(
    "LOGLEVEL is not a variable of Deed: did you mean LOG_LEVEL?",
  );
});

it("takes no variable of Deed for another program's", () => {
  expect(told(Object.fromEntries(VARIABLES.map((name) => [name, "x"])))).toEqual([]);
});

it("says nothing of an environment that other programs share", () => {
  expect(
    told({
      PATH: "/bin",
      DEED_URL: "https://deed.example.org",
      DEED_KEY: "deed_key_x",
      // Kubernetes sets these beside a service called deed.
      DEED_PORT: "tcp://10.0.0.1:80",
      DEED_SERVICE_PORT: "80",
      // No warning: the probably meant variable is set.
      SMTP_URL_FILE: "/run/secrets/smtp-url",
      SMTP_HOST: "mail.example.org",
      DATABASE_PATH: "/srv/deed.db",
      DATABASE_URL: "postgres://db.example.org",
    }),
  ).toEqual([]);
});

it("names what is in .env and unknown, but nothing that may be a piece of a key", () => {
  const piece = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASC";
  expect(told({}, { TZ: "UTC", [piece]: "=", PORT: "80" })).toEqual([
    "TZ in .env is not a variable of Deed",
  ]);
  expect(deedNameFor(piece)).toBe(null);
});

const KNOWN = [...VARIABLES, "SMTP_URL_FILE", "SESSION_SECRET_FILE"];

/** A slip, and the known name. */
const SLIPS = `
  PROT:PORT HSOT:HOST BASEURL:BASE_URL BASE_URI:BASE_URL SMPT_URL:SMTP_URL STMP_URL:SMTP_URL
  TRUSTED_PROXY:TRUSTED_PROXIES TRUSTED_PROXYS:TRUSTED_PROXIES DNS_RESOLVER:DNS_RESOLVERS
  SESSION_SECRETS:SESSION_SECRET SIGNIN_KEY:SIGNING_KEY OICD_ISSUER:OIDC_ISSUER
  LITE_FS_URL:LITEFS_URL LOGLEVEL:LOG_LEVEL DATADIR:DATA_DIR METRIC:METRICS
  SMTPURL_FILE:SMTP_URL_FILE`;

it.each(pairsIn(SLIPS))("%s is taken for a slip of %s", (name = "", meant) => {
  expect(nearestName(name, KNOWN)).toBe(meant);
});

it.each([
  ["HOSTNAME", "HOSTS", "HOSTTYPE", "POST", "COST", "PORTS", "PORTAGE", "SUPPORT", "REPORT"],
  ["LOG_LEVELS", "LOG_FILE", "DATA_DIRS", "XDG_DATA_DIRS", "BASE_URLS", "BASE", "BASE_PATH"],
  ["DATABASE_URL", "DATABASE_PASS", "DATABASE_HOST", "DB_PORT", "SMTP_HOST", "SMTP_PORT"],
  ["HTTP_URL", "HTTP_PROXY", "NO_PROXY", "PAGE_URL", "API_URL", "MAIL_HOST", "MAIL_NAME"],
  ["PATH", "HOME", "USER", "TERM", "SHELL", "LANG", "PWD", "SHLVL", "TZ", "CI", "EDITOR"],
  ["NODE_OPTIONS", "NODE_PATH", "NODE_EXTRA_CA_CERTS", "NO_COLOR", "INIT_CWD", "npm_config_port"],
  ["NOTIFY_SOCKET", "INVOCATION_ID", "CREDENTIALS_DIRECTORY", "STATE_DIRECTORY", "MAINPID"],
  ["DEED_PORT", "DEED_SERVICE_PORT", "KUBERNETES_PORT", "CLIENT_SECRET", "SECRET", "port", "host"],
])("leaves other programs' variables alone: %s, …", (...names) => {
  expect(names.filter((name) => nearestName(name, KNOWN) !== null)).toEqual([]);
});
