import { expect } from "vitest";
import { RecordCheck } from "#app/features/checks/resources.ts";
import { frames } from "../support/stream.ts";
import { contract, expectError, newName, shaped } from "./kit.ts";
import { says } from "./sentences.ts";

const { it, target } = contract();
const VALUE = "acme-verification=5f2a";

it(says("C33.1", "C33.2", "C33.3"), async ({ stranger }) => {
  const zone = target().zone();
  const ask = (more = {}) => stranger.post("/api/checks", { name: zone, value: VALUE, ...more });
  const absent = shaped(await ask(), 200, RecordCheck);
  expect(absent).toMatchObject({ outcome: "absent", code: "record_absent", resolvers: [], zone });
  expect(absent.fix).toContain(VALUE);
  const name = `_acme.${zone}`;
  target().publishRecord(zone, name, VALUE);
  const found = shaped(await ask({ name: `${name}.`, type: "TXT" }), 200, RecordCheck);
  expect(found).toMatchObject({ name, outcome: "found", code: null, fix: null, wait: null });
  expect(found.resolvers.map(({ hasRecord }) => hasRecord)).toEqual([true, true, true]);
  expectError(await ask({ name: "a..b" }), "invalid_domain");
  expectError(await ask({ value: "a\u202eb" }), "invalid_request");
  expectError(await ask({ value: "a".repeat(2_001) }), "invalid_request");
  expectError(await ask({ type: "MX" }), "invalid_request");
});

it(says("C33.4"), async ({ stranger }) => {
  const { zone, asked } = await target().countedZone();
  const ask = (value: string) => stranger.post("/api/checks", { name: zone, value });
  const answers = await Promise.all([ask("one"), ask("one"), ask("one")]);
  const before = asked();
  expect(new Set([...answers, await ask("one")].map(({ text }) => text)).size).toBe(1);
  expect(asked()).toBe(before);
  const others = await Promise.all([ask("two"), ask("three"), ask("four")]);
  expect(others.map(({ status }) => status).toSorted()).toEqual([200, 429, 429]);
});

it(says("C33.5"), async ({ stranger }) => {
  const zone = target().zone();
  const name = `_acme.${zone}`;
  const follow = (value: string) =>
    fetch(`${target().url}/api/checks`, {
      method: "POST",
      headers: { "Content-Type": "application/json", Accept: "text/event-stream" },
      body: JSON.stringify({ name, value }),
    });
  const first = await follow("another value");
  expect(first.headers.get("content-type")).toMatch(/^text\/event-stream/);
  const stream = await follow(VALUE);
  expect(frames(await first.text())).toHaveLength(1);
  target().publishRecord(zone, name, VALUE);
  const outcomes = frames(await stream.text()).map(({ data }) => RecordCheck.parse(data).outcome);
  expect([outcomes[0], outcomes.at(-1)]).toEqual(["absent", "found"]);
  expectError(await stranger.post("/api/checks", { name: "..", value: "x" }), "invalid_domain");
});

it(says("C33.6", "C33.7"), async ({ stranger }) => {
  const { zone, asked } = await target().countedZone();
  const name = `_github-challenge-acme-org.${zone}`;
  const empty = await stranger.get("/check");
  expect(empty.text).toContain("Check this record");
  const pressed = await stranger.submit("/check", {
    ...{ name: `${name}. 3600 IN TXT "5fd2a1"`, type: "TXT", value: "" },
  });
  expect(pressed.status).toBe(303);
  const address = pressed.headers.get("location") ?? "";
  expect(address).toBe(`/check?${new URLSearchParams({ name, type: "TXT", value: "5fd2a1" })}`);
  const before = asked();
  const another = await target().stranger().get(address);
  expect(another.text).toContain(name);
  expect(asked()).toBe(before);
  const absent = await stranger.get(address);
  expect(absent.text).toContain("5fd2a1");
  expect(absent.text).toContain('data-code="record_absent"');
  expect(asked()).toBeGreaterThan(before);
  const other = `_github-challenge-acme.${zone}`;
  target().publishRecord(zone, other, "5fd2a1");
  await stranger.submit("/check", { name: other, type: "TXT", value: "5fd2a1" });
  const query = new URLSearchParams({ name: other, type: "TXT", value: "5fd2a1" });
  const found = await stranger.get(`/check?${query}`);
  expect(found.text).toContain("Found on every nameserver");
  expect(found.text).toContain("GitHub looks when you press Verify");
  const nobodys = await stranger.submit("/check", { name: newName(), type: "TXT", value: "" });
  expect(nobodys.status).toBe(400);
  expect(nobodys.text).toContain("Type the value");
});
