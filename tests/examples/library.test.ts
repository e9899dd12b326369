import { execFileSync } from "node:child_process";
import fs, { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { txt } from "@deed/dns/testing/rows.ts";
import { netOf, World, type WorldSetup } from "@deed/dns/testing/world.ts";
import { afterAll, describe, expect, it } from "vitest";
import { freePort } from "../support/service.ts";
import { browserAt, copyOut, start } from "./kit.ts";

/** The library replaces another service's own lookup: `npm run test:examples`. */

const DIFF = "examples/better-auth-sso/verify-domain.diff";
const MOST_LINES = 15;
const PORT = 10_000 + (process.pid % 10_000);
const DOMAIN = "acme.test";

const SERVER = `
import { createServer } from "node:http";
import { DatabaseSync } from "node:sqlite";
import { sso } from "@better-auth/sso";
import { betterAuth } from "better-auth";
import { getMigrations } from "better-auth/db/migration";
import { toNodeHandler } from "better-auth/node";

const { BASE_URL: baseURL, SECRET: secret, PORT, DNS } = process.env;
const domainVerification = { enabled: true, dns: JSON.parse(DNS) };
const options = {
  ...{ baseURL, secret, database: new DatabaseSync(":memory:") },
  ...{ emailAndPassword: { enabled: true }, plugins: [sso({ domainVerification })] },
};
await (await getMigrations(options)).runMigrations();
const auth = betterAuth(options);
createServer(toNodeHandler(auth)).listen(Number(PORT), () => console.log("Listening"));
`;

let world: World | undefined;
async function open(setup: WorldSetup) {
  world?.close();
  world = new World({ domain: DOMAIN, ...setup }, netOf(3_920), PORT);
  await world.open();
  return world.settings;
}
afterAll(() => world?.close());

/** The example's packages, a copy of the plugin with the diff applied, and the library as npm would unpack it. */
async function patched(): Promise<string> {
  const folder = copyOut("better-auth-sso");
  const packages = join(folder, "node_modules");
  const from = fs.realpathSync(packages);
  fs.rmSync(packages);
  mkdirSync(join(packages, "@better-auth"), { recursive: true });
  for (const name of readdirSync(from))
    if (name[0] !== "." && name !== "@better-auth")
      symlinkSync(join(from, name), join(packages, name));
  for (const name of readdirSync(join(from, "@better-auth")))
    cpSync(join(from, "@better-auth", name), join(packages, "@better-auth", name), {
      recursive: true,
    });
  const plugin = join(packages, "@better-auth/sso");
  execFileSync("git", ["apply", resolve(DIFF)], { cwd: plugin });
  mkdirSync(join(packages, "@deed/dns"), { recursive: true });
  const tarball = String(execFileSync(process.execPath, ["scripts/library.mjs"])).trim();
  execFileSync("tar", ["-xzf", tarball, "--strip-components=1", "-C", join(packages, "@deed/dns")]);
  fs.writeFileSync(join(folder, "server.js"), SERVER);
  return folder;
}

describe("better-auth's SSO plugin with verify in the place of its lookup", () => {
  it("is changed in at most 15 lines", () => {
    const changed = readFileSync(DIFF, "utf8")
      .split("\n")
      .filter((line) => /^[+-](?![+-])/.test(line));
    console.log(`lines changed in better-auth's plugin: ${changed.length}`);
    expect(changed.length).toBeLessThanOrEqual(MOST_LINES);
    expect(changed.length).toBeGreaterThan(2);
  });

  it("tells an administrator the mistake and its fix, and verifies the domain after it", async () => {
    const folder = await patched();
    const settings = await open({ records: [] });
    const port = String(await freePort());
    const url = `http://127.0.0.1:${port}`;
    await start(folder, {
      ...{ PORT: port, BASE_URL: url, SECRET: "0123456789abcdef0123456789abcdef" },
      ...{ DNS: JSON.stringify(settings), NODE_ENV: "test" },
      BETTER_AUTH_TRUSTED_ORIGINS: url,
    });
    const admin = browserAt(url);
    const person = { email: "admin@acme.example", password: "correct horse battery", name: "Ada" };
    expect((await admin("POST", "/sign-up/email", person)).status).toBe(200);
    const oidcConfig = {
      ...{ clientId: "example", clientSecret: "secret", skipDiscovery: true },
      ...{ authorizationEndpoint: `${url}/a`, tokenEndpoint: `${url}/t`, jwksEndpoint: `${url}/k` },
    };
    const provider = { providerId: "Acme", domain: DOMAIN, issuer: url, oidcConfig };
    const registered = await admin("POST", "/sso/register", provider);
    expect(registered, JSON.stringify(registered.body)).toMatchObject({ status: 200 });
    const of = { providerId: "Acme" };
    const asked = await admin("POST", "/sso/request-domain-verification", of);
    expect(asked.status).toBe(201);
    const value = String(asked.body.domainVerificationToken);
    const name = `_better-auth-token-acme.${DOMAIN}`;
    const verified = () => admin("POST", "/sso/verify-domain", of);

    const refused = { status: 502, body: { code: "DOMAIN_VERIFICATION_FAILED" } };
    for (const [record, cause, fix] of [
      [null, /no record|no TXT/i, "add a TXT record"],
      [txt(DOMAIN, value), `${DOMAIN} itself`, "_better-auth-token-acme"],
      [txt(`${name}.${DOMAIN}`, value), `${name}.${DOMAIN}`, "_better-auth-token-acme"],
      [txt(name, `"${value}"`), /value is not exact: it has quotation marks/, value],
    ] as const) {
      await open({ records: record ? [record] : [] });
      const told = await verified();
      expect(told).toMatchObject(refused);
      expect(told.body.message).toMatch(cause);
      expect(told.body.fix).toContain(fix);
    }
    await open({ records: [txt(name, value)] });
    expect((await verified()).status).toBe(204);
    expect(await verified()).toMatchObject({ status: 409, body: { code: "DOMAIN_VERIFIED" } });
  });
});
