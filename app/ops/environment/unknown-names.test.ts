import { expect, it } from "vitest";
import { VARIABLES } from "./env.server.ts";
import { nameElsewhere } from "./near-names.ts";
import { unknownNames } from "./warnings.ts";

const told = (given: Record<string, string>, dotEnv: Record<string, string> = {}) =>
  unknownNames({ ...dotEnv, ...given }, dotEnv).map(({ message }) => message);

it.each([
  ["ADMINS", "ADMIN"],
  ["ADMIN_EMAIL", "ADMIN"],
  ["SITE_URL", "BASE_URL"],
  ["DATABASE_URL", "DATABASE_PATH"],
  ["EMAIL_FROM", "MAIL_FROM"],
  ["SMTP_HOST", "SMTP_URL"],
  ["SMTP_PASSWORD", "SMTP_URL"],
  ["TRUST_PROXY", "TRUSTED_PROXIES"],
  ["DEED_PORT", "PORT"],
  ["DEED_SMTP_URL_FILE", "SMTP_URL_FILE"],
])("%s is named with %s", (name, meant) => {
  expect(told({ [name]: "x" })).toEqual([
    `${name} is not a variable of Deed: set ${meant} instead`,
  ]);
  expect(told({}, { [name]: "x" })).toHaveLength(1);
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
      // Kubernetes, beside a service called deed.
      DEED_PORT: "tcp://10.0.0.1:80",
      DEED_SERVICE_PORT: "80",
      // Not lacking: the variable that would be meant is set.
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
  expect(nameElsewhere(piece)).toBe(null);
});
