import { expect } from "vitest";
import { RecordCheck } from "#app/features/checks/resources.ts";
import { frames } from "../support/stream.ts";
import { contract, expectError, shaped } from "./kit.ts";
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
  for (const more of [{ value: "a\u202eb" }, { value: "a".repeat(2_001) }, { type: "MX" }])
    expectError(await ask(more), "invalid_request");
});

it(says("C33.5"), async () => {
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
});

it(says("C33.6", "C33.7"), async ({ stranger }) => {
  const { zone, asked } = await target().countedZone();
  const record = { name: `_github-challenge-acme.${zone}`, type: "TXT", value: "5fd2a1" };
  const line = `${record.name}. 3600 IN TXT "5fd2a1"`;
  const pressed = await stranger.submit("/check", { ...record, name: line, value: "" });
  const address = `/check?${new URLSearchParams(record)}`;
  expect([pressed.status, pressed.headers.get("location")]).toEqual([303, address]);
  const before = asked();
  expect((await target().stranger().get(address)).text).toContain(record.name);
  expect(asked()).toBe(before);
  target().publishRecord(zone, record.name, record.value);
  const found = await stranger.get(address);
  expect(found.text).toContain("Found on the nameserver");
  expect(found.text).toContain("GitHub looks when you press Verify");
  const refused = await stranger.submit("/check", { ...record, value: "" });
  expect([refused.status, refused.text]).toEqual([400, expect.stringContaining("Type the value")]);
});
