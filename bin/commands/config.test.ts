import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, it } from "vitest";
import { SECRET_VARIABLES } from "#app/environment/secret-files.server.ts";
import { eachFolder } from "#db/testing.files.ts";
import { settingsInForce } from "./config.ts";

const folder = eachFolder();
const byName = (environment: Record<string, string>, dotEnv: Record<string, string> = {}) =>
  Object.fromEntries(
    settingsInForce(environment, dotEnv).map(({ name, value, from }) => [name, [value, from]]),
  );

it("says where each value came from", () => {
  const file = folder("client-secret");
  writeFileSync(file, "from a file\n", { mode: 0o600 });
  const settings = byName(
    { PORT: "8080", OIDC_ISSUER: "https://login.example.org", OIDC_CLIENT_SECRET_FILE: file },
    { PORT: "9090", OIDC_CLIENT_ID: "deed", DATA_DIR: "kept", MAIL_FROM_FILE: "x" },
  );
  expect(settings).toMatchObject({
    PORT: ["8080", "environment"],
    OIDC_CLIENT_ID: ["deed", ".env"],
    DATA_DIR: [resolve("kept"), ".env"],
    OIDC_CLIENT_SECRET: ["(hidden)", file],
    BASE_URL: ["http://localhost:8080", "default"],
    DATABASE_PATH: [resolve("kept/deed.db"), "default"],
    RATE_LIMIT_API: ["600/60", "default"],
    DNS_PORT: ["53", "default"],
    DNS_ALLOW_ADDRESSES: ["", "default"],
    MAIL_FROM: [null, "default"],
  });
  expect(settings.DNS_RESOLVERS?.[0]).toContain("quad9=https://9.9.9.9/dns-query");
});

it("counts an empty variable as unset, except DNS_RESOLVERS", () => {
  expect(byName({ LOG_LEVEL: "", DNS_RESOLVERS: "" }, { LOG_LEVEL: "debug" })).toMatchObject({
    LOG_LEVEL: ["info", "default"],
    DNS_RESOLVERS: ["", "environment"],
  });
});

it("shows no secret", () => {
  const secret = "5ec7e7".repeat(11).slice(2);
  const settings = settingsInForce(
    {
      ...Object.fromEntries(SECRET_VARIABLES.map((name) => [name, secret])),
      SMTP_URL: `smtp://${secret}:${secret}@mail.example.org:587/?pass=${secret}`,
      MAIL_FROM: "deed@example.org",
      BASE_URL: "https://deed.example.org",
      LITEFS_URL: "http://10.0.0.1:20202",
      METRICS: "127.0.0.1:9464",
      DATABASE_PATH: folder("deed.db"),
    },
    { OIDC_CLIENT_ID: "deed", OIDC_ISSUER: "https://login.example.org" },
  );
  expect(JSON.stringify(settings)).not.toContain(secret);
  expect(settings.find(({ name }) => name === "SMTP_URL")?.value).toBe(
    "smtp://(hidden)@mail.example.org:587",
  );
  expect(settings.find(({ name }) => name === "CLUSTER_SECRET")?.value).toBe("(hidden)");
});
