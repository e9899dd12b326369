import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { errorAnswer } from "#app/api/testing.ts";
import { DAY, HOUR, type Json, startedWorld } from "./testing.ts";

const PAGE = readFileSync("docs/pages/test-mode.md", "utf8");
const ROWS = [...PAGE.matchAll(/^\| `(\S+\.test)` \| `(\w+)`[^|]* \| (.*) \|$/gm)].map(
  ([, name = "", soon = "", then = ""]) => {
    const [, state = soon, count = "0", unit = ""] =
      /`(\w+)` after (\d+) (hours|days)/.exec(then) ?? [];
    const later = Number(count) * (unit === "days" ? DAY : HOUR);
    return { name, soon, state, later, isWatched: then.includes("its watch") };
  },
);

describe("C32.2, C32.3: the table of /docs/test-mode", () => {
  it("has every name once", () => {
    const names = ROWS.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names.length).toBe(23);
  });

  it.each(ROWS)("is true of $name", async ({ name, soon, state, later, isWatched }) => {
    const { app, prove, move, ok, test } = await startedWorld();
    const first = await prove(name);
    await ok("POST", `/api/claims/${first.claim.id}/cancel`);
    const { claim } = await prove(name, { again: first.claim.id });
    const verification = `/api/verifications/${claim.verificationId}`;
    const outcome = async () => {
      const { status, diagnosis, waitEstimate } = await ok<Json>("GET", verification);
      const told = (diagnosis ?? waitEstimate) as { code?: string; reason?: string } | null;
      return status === "exhausted" ? "expired" : (told?.code ?? told?.reason ?? status);
    };
    expect(await outcome()).toBe("first_check");
    await move(60);
    const waits = ["negative_cache", "nameserver_sync", "retry"];
    expect(await outcome()).toBe(soon);
    if (waits.includes(soon))
      expect((await ok("GET", verification)).status).toBe(
        soon === "retry" ? "checking" : "propagating",
      );
    if (isWatched) await ok("PUT", `/api/claims/${claim.id}/watch`);
    for (let left = later; left > 0; left -= 4 * DAY) await move(Math.min(left, 4 * DAY));
    if (isWatched)
      expect(await ok("GET", `/api/claims/${claim.id}/watch`)).toMatchObject({ state });
    else if (later > 0) expect(await outcome()).toBe(state);
    expect((await test("GET", "/api/domains?name=acme.com")).body).toMatchObject({ domains: [] });
    expect(app.logged.filter((line) => /"level":(?:40|50)/.test(line))).toEqual([]);
  });
});

it("C29.13: expiring.test is told to end, three times, and renewed", async () => {
  const { prove, move, ok } = await startedWorld();
  const { claim } = await prove("expiring.test", { watch: true });
  const told = async () => {
    const { notices } = await ok<{ notices: { kind: string }[] }>("GET", "/api/notices");
    return notices.filter(({ kind }) => kind === "registration_expiring").length;
  };
  const counts = [];
  for (const days of [9, 2, 21, 2, 4, 2, 3]) {
    for (let left = days; left > 0; left -= 4) await move(Math.min(left, 4) * DAY);
    counts.push(await told());
  }
  expect(counts).toEqual([0, 1, 1, 2, 2, 3, 0]);
  const watch = await ok<Json>("GET", `/api/claims/${claim.id}/watch`);
  expect(watch).toMatchObject({ state: "published", registrationExpiresAt: expect.any(String) });
});

it("C32.2: adds no other name, by any call that takes one", async () => {
  const { test, prove } = await startedWorld();
  const refused = errorAnswer("invalid_domain");
  for (const name of ["acme.com", "x.proved.test", "proved.test.com", "www.proved.test.com"]) {
    expect(await test("POST", "/api/domains", { domain: name })).toMatchObject(refused);
    expect(await test("PUT", `/api/domains/by-name/${name}`, {})).toMatchObject(refused);
  }
  expect(await prove("PROVED.test.")).toMatchObject({ domain: { name: "proved.test" } });
  const zone = await test("GET", "/api/zones/acme.com");
  expect(zone).toMatchObject(errorAnswer("no_delegation"));
});
