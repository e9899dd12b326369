import { expect, it } from "vitest";
import { VARIABLES } from "./env.server.ts";
import { nearestName } from "./near-names.ts";

const KNOWN = [...VARIABLES, "SMTP_URL_FILE", "SESSION_SECRET_FILE"];

it.each([
  ["PROT", "PORT"],
  ["HSOT", "HOST"],
  ["BASEURL", "BASE_URL"],
  ["BASE_URI", "BASE_URL"],
  ["SMPT_URL", "SMTP_URL"],
  ["STMP_URL", "SMTP_URL"],
  ["TRUSTED_PROXY", "TRUSTED_PROXIES"],
  ["TRUSTED_PROXYS", "TRUSTED_PROXIES"],
  ["DNS_RESOLVER", "DNS_RESOLVERS"],
  ["SESSION_SECRETS", "SESSION_SECRET"],
  ["SIGNIN_KEY", "SIGNING_KEY"],
  ["OICD_ISSUER", "OIDC_ISSUER"],
  ["LITE_FS_URL", "LITEFS_URL"],
  ["LOGLEVEL", "LOG_LEVEL"],
  ["DATADIR", "DATA_DIR"],
  ["METRIC", "METRICS"],
  ["SMTPURL_FILE", "SMTP_URL_FILE"],
])("%s is taken for a slip of %s", (name, meant) => {
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

it("takes no variable of Deed for a slip of another", () => {
  expect(VARIABLES.filter((name) => nearestName(name, KNOWN) !== null)).toEqual([]);
});
