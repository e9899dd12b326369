import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { ADMIN, targetService } from "../contract/kit.ts";
import { hasTest } from "../support/has-test.ts";
import { type Owned, ownerOfEverything, pagesWith, pathTo } from "../support/owned.ts";

// tests/evidence/asvs.md itself, and its rows that an HTTP client can test and that no other test covers.
const BUDGET = 100;
const target = targetService({ RATE_LIMIT_API: `${BUDGET}/3600`, ADMIN });

/** An administrator with one resource of each kind, and every page that needs a session. */
let owned: Owned;
let pages: string[];
beforeAll(async () => {
  owned = await ownerOfEverything(target(), ADMIN);
  pages = pagesWith(/require(Session|Admin)\(|accountLoader/).map(({ path }) =>
    pathTo(owned, { path }),
  );
});

it("every test that tests/evidence/asvs.md names is there", () => {
  const [, met = ""] = readFileSync("tests/evidence/asvs.md", "utf8").split("## Met");
  const rows = [...met.matchAll(/^\| \d.*$/gm)].map(([row]) => row);
  expect(rows.length).toBeGreaterThan(50);
  const isGone = (row: string) => {
    const [, file = "", title = ""] =
      /^\| [\d., ]+ \| `([^`]+\.test\.ts)`: (.+) \|$/.exec(row) ?? [];
    return !hasTest(file, title);
  };
  expect(rows.filter(isGone)).toEqual([]);
});

it("a test that is gone, or has another title, is missed", () => {
  const here = "tests/security/asvs.test.ts";
  expect(hasTest(here, "a test that is gone, or has another title, is missed")).toBe(true);
  expect(hasTest(here, "a test that is gone")).toBe(false);
  expect(hasTest("tests/contract/limits.test.ts", "C19.16")).toBe(true);
  expect(hasTest("tests/contract/limits.test.ts", "C1.3")).toBe(false);
});

// The second spends the budget of the first.
describe("pages of an account", { shuffle: false }, () => {
  it("7.4.4: every page that asks for a session shows a way out of it", async () => {
    expect(pages.length).toBeGreaterThan(7);
    for (const path of pages) {
      const { status, text } = await owned.client.get(path);
      const isThere = /<button[^>]*>Sign out</.test(text);
      expect([path, status, isThere]).toEqual([path, 200, true]);
    }
  });

  it("2.4.1: pages and forms of an account draw on its budget", async () => {
    const { client } = owned;
    const page = pages.find((path) => path.startsWith("/domains/")) ?? "";
    const submit = () => client.submit(page, { intent: "none" });
    expect((await submit()).status).toBe(400);
    await Promise.all(Array.from({ length: BUDGET }, () => client.get("/api/account")));
    for (const path of pages) {
      const { status, headers } = await client.get(path);
      expect([path, status]).toEqual([path, 429]);
      expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
    }
    expect((await submit()).status).toBe(429);
  });
});
