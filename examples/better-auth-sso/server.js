// An application with better-auth: organizations use their identity provider once they have proved their domain.
import { createServer } from "node:http";
import { DatabaseSync } from "node:sqlite";
import { sso } from "@better-auth/sso";
import { betterAuth } from "better-auth";
import { getMigrations } from "better-auth/db/migration";
import { toNodeHandler } from "better-auth/node";
import { organization } from "better-auth/plugins";
import { deedDomains } from "./deed-domains.js";

const {
  BASE_URL,
  AUTH_SECRET,
  DEED_URL,
  DEED_KEY,
  DATABASE = "auth.db",
  PORT = "3004",
} = process.env;

const database = new DatabaseSync(DATABASE);
const options = {
  baseURL: BASE_URL,
  secret: AUTH_SECRET,
  database,
  emailAndPassword: { enabled: true },
  plugins: [
    organization(),
    // With this, the plugin lets nobody in through a provider whose domain is not proved.
    sso({ domainVerification: { enabled: true } }),
    deedDomains({ url: DEED_URL, key: DEED_KEY }),
  ],
  // The plugin's own DNS check asks only one resolver once, so it is off.
  disabledPaths: ["/sso/request-domain-verification", "/sso/verify-domain"],
};

await (await getMigrations(options)).runMigrations();
// Two organizations can prove one domain, but only one can control its addresses.
database.exec(
  "create unique index if not exists one_holder on ssoProvider (domain) where domainVerified",
);

const auth = betterAuth(options);
createServer(toNodeHandler(auth)).listen(Number(PORT), () => console.log(`Listening on ${PORT}`));
