import { join } from "node:path";
import { expect, it } from "vitest";
import { openDatabase } from "#db/client.ts";
import { newName, targetService } from "../contract/kit.ts";
import { memoryOf, processorTimeOf } from "../reliability/metrics.ts";
import { frames } from "../support/stream.ts";

const ADDRESSES = 1_000;
const target = targetService({ TRUSTED_PROXIES: "127.0.0.1", RATE_LIMIT_ZONES: "30/60" });

/** One of a thousand addresses. */
const addressOf = (at: number) => `198.18.${at >> 8}.${at & 255}`;
const ask = (from: number, name: string, value: string, Accept = "application/json") =>
  fetch(`${target().url}/api/checks`, {
    method: "POST",
    headers: { Accept, "Content-Type": "application/json", "X-Forwarded-For": addressOf(from) },
    body: JSON.stringify({ name, value }),
  });
const statuses = async (asked: Promise<Response>[]) => {
  const all = await Promise.all(asked.map(async (one) => (await one).status));
  const counts: Record<number, number> = {};
  for (const one of all) counts[one] = (counts[one] ?? 0) + 1;
  return counts;
};
const many = <T>(count: number, of: (at: number) => T) =>
  Array.from({ length: count }, (_, at) => of(at));

/** The most reads: the first, those for callers that wait, and one per ten seconds. */
const readsSince = (start: number, first: number) =>
  first + Math.floor((performance.now() - start) / 10_000);

function rows() {
  const { $client } = openDatabase(join(target().own.service.dataDir, "deed.db"));
  const tables = $client
    .prepare("select name from sqlite_master where type = 'table'")
    .pluck()
    .all();
  const counts = tables.map((table) => [
    table,
    $client.prepare(`select count(*) from "${table}"`).pluck().get(),
  ]);
  $client.close();
  return counts;
}

it("each who follows a record is told at once what is known, whoever began to look", async () => {
  const zone = target().zone();
  const follow = (from: number) => ask(from, zone, "abc", "text/event-stream");
  const reads: unknown[] = [];
  for (const { body } of [await follow(1), await follow(2)]) {
    let told = "";
    for await (const part of body?.pipeThrough(new TextDecoderStream()) ?? []) {
      told += part;
      if (frames(told).length > 0) break;
    }
    expect(frames(told)).toMatchObject([{ data: { name: zone, outcome: "absent" } }]);
    reads.push(Object(frames(told)[0]?.data).checkedAt);
  }
  // The scheduled read, a minute later, would show them too.
  expect(new Set(reads).size).toBe(1);
});

it("a thousand addresses that ask for one record have it read once", async () => {
  const { zone, asked } = await target().countedZone();
  const { pid } = target().own.service.child;
  const [stored, before, start] = [rows(), memoryOf(pid), performance.now()];
  expect(await statuses(many(ADDRESSES, (at) => ask(at, zone, "abc")))).toEqual({ 200: ADDRESSES });
  const after = memoryOf(pid);
  expect(asked()).toBeLessThanOrEqual(60 * readsSince(start, 1));
  expect(after - before).toBeLessThan(200);
  expect(rows()).toEqual(stored);
});

it("a thousand addresses that ask for other values of one name have it read twice", async () => {
  const { zone, asked } = await target().countedZone();
  const start = performance.now();
  const { 200: read = 0 } = await statuses(many(ADDRESSES, (at) => ask(at, zone, `value ${at}`)));
  const most = readsSince(start, 2);
  expect(read).toBeGreaterThanOrEqual(2);
  expect(read).toBeLessThanOrEqual(most);
  expect(asked()).toBeLessThanOrEqual(60 * most);
});

it("a silent server gets no more than its fifty packets a second, and others are still checked", async () => {
  const { zone, host, asked } = await target().countedZone();
  const { playground } = target().own;
  playground.setServerFault(host, "silent", zone);
  const start = performance.now();
  const crowd = statuses(many(ADDRESSES, (at) => ask(at, `n${at}.${zone}`, "abc")));
  const other = async () => (await ask(ADDRESSES + 1, target().zone(newName()), "abc")).status;
  const patiently = { interval: 1_000, timeout: 60_000 };
  // Too busy is 503, for a short time only.
  const checked = expect.poll(other, patiently).toSatisfy((status) => [200, 502].includes(status));
  await Promise.all([checked, crowd]);
  const seconds = (performance.now() - start) / 1_000;
  expect(asked()).toBeLessThanOrEqual(50 * (seconds + 1));
  playground.clearFaults(zone);
  const after = await ask(ADDRESSES + 2, target().zone(newName()), "abc");
  expect(after.status).toBe(200);
});

it("two thousand odd characters cost no more than a moment", async () => {
  const { zone } = await target().countedZone();
  const near = `${"<\\\"';(".repeat(40)}`;
  target().publishRecord(zone, zone, near);
  const odd = `${"<\\\"';(".repeat(333)}xy`;
  const { pid } = target().own.service.child;
  const before = processorTimeOf(pid);
  const answer = await ask(ADDRESSES + 3, zone, odd);
  expect(answer.status, await answer.clone().text()).toBe(200);
  expect(processorTimeOf(pid) - before).toBeLessThan(2_000);
});
