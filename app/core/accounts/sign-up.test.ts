import { describe, expect, it } from "vitest";
import { parseEnvironment } from "#app/environment/env.server.ts";
import { accounts } from "#db/schema.ts";
import { databaseBefore, testDatabase } from "#db/testing.ts";
import { resolveSignUp, signUpOf } from "./sign-up.server.ts";

const PUBLIC = { BASE_URL: "https://deed.example.org" };
const oidc = { OIDC_CLIENT_ID: "deed", OIDC_CLIENT_SECRET: "s" };
const OIDC = { ...PUBLIC, OIDC_ISSUER: "https://id.example", ...oidc };
const account = { id: "acc_1", email: "kim@example.org", createdAt: 1 };

describe("C12.20: SIGN_UP that is not set", () => {
  it.each<[Record<string, string>, "open" | string[]]>([
    [{}, "open"],
    [{ BASE_URL: "http://127.0.0.1:8080" }, "open"],
    [{ BASE_URL: "https://localhost" }, []],
    [{ BASE_URL: "http://192.0.2.1" }, []],
    [PUBLIC, []],
    [OIDC, "open"],
    [{ ...PUBLIC, SIGN_UP: "open" }, "open"],
    [{ ...PUBLIC, SIGN_UP: "@example.org" }, ["@example.org"]],
  ])("%j of a new database: %j", async (source, signUp) => {
    expect(signUpOf(parseEnvironment(source), null)).toEqual(signUp);
    expect(await resolveSignUp(parseEnvironment(source), testDatabase())).toEqual(signUp);
  });

  it("stays closed once there is an account, except on loopback and behind OIDC_ISSUER", async () => {
    const db = testDatabase();
    await resolveSignUp(parseEnvironment(PUBLIC), db);
    db.insert(accounts).values(account).run();
    expect(await resolveSignUp(parseEnvironment(PUBLIC), db)).toEqual([]);
    for (const source of [{}, OIDC])
      expect(await resolveSignUp(parseEnvironment(source), db)).toBe("open");
  });

  it("stays open for a database that had accounts before, also of an earlier version", async () => {
    for (const db of [testDatabase(), databaseBefore("0038_sign_up_closed")]) {
      db.insert(accounts).values(account).run();
      expect(await resolveSignUp(parseEnvironment(PUBLIC), db)).toBe("open");
    }
  });
});
