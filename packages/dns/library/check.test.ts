import { afterEach, describe, expect, it } from "vitest";
import { txt } from "../testing/rows.ts";
import { netOf, World, type WorldSetup } from "../testing/world.ts";
import { check } from "./index.ts";

const PORT = 10_000 + (process.pid % 10_000);
const NET = netOf(3_880);
const VALUE = "google-site-verification=lVXLFmpqKPmkAo0hBsKd1nVzOtxEQ-rNgFb7yqJJtSM";

let world: World | undefined;
async function open(setup: WorldSetup = {}) {
  world?.close();
  world = new World(setup, NET, PORT);
  await world.open();
  return world.settings;
}
afterEach(() => {
  world?.close();
  world = undefined;
});

describe("check", () => {
  it("finds a value at the domain itself, among others", async () => {
    const records = [txt("acme.test", "v=spf1 -all"), txt("acme.test", VALUE)];
    const found = await check({ name: "Acme.test.", value: VALUE }, await open({ records }));
    expect(found).toMatchObject({
      ...{ outcome: "found", code: null, cause: null, fix: null, others: 1 },
      ...{ name: "acme.test", vendor: { name: "Google" } },
    });
  });

  it("names the nearest of the values at a domain, and counts the others", async () => {
    const near = VALUE.replace("lVXL", "mWXL").replace("jJtSM", "xxx");
    const values = ["v=spf1 -all", near, "MS=ms12345678"];
    const records = values.map((value) => txt("acme.test", value));
    const found = await check({ name: "acme.test", value: VALUE }, await open({ records }));
    expect(found).toMatchObject({ outcome: "absent", nearest: { value: near }, others: 2 });
  });
});
