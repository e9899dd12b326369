import { setTimeout as sleep } from "node:timers/promises";
import { txt } from "@deed/playground/records.ts";
import { siteRecords } from "@deed/playground/samples.ts";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Client } from "../support/deed.ts";
import { type Deed, type OpenClaim, openClaim, signIn, startDeed } from "../support/deed.ts";
import { figure, quantile, sized, spread } from "./figures.ts";

const CLAIMS = sized(60, 1_000);
const ACCOUNTS = 5;
/** Claims of another account there, without a record: they are read every 15 seconds meanwhile. */
const POLLED = sized(0, 50);
const NAMESERVERS = ["ns1.hosting.example", "ns2.hosting.example"];
const FIRST_READ_SECONDS = sized(5, 150);
/** From the first read of all on. */
const PROVED_MS = 180_000;
/** How much longer than alone a forced run may take. */
const ADDED_MS = 2_000;

let deed: Deed;

beforeEach(async () => {
  deed = await startDeed({
    FIRST_READ_SECONDS: String(FIRST_READ_SECONDS),
    RATE_LIMIT_DNS_ADDRESS: "50/1",
    RATE_LIMIT_API: "100000/60",
    RATE_LIMIT_ADDITIONS: "100000/60",
    RATE_LIMIT_RUNS_VERIFICATION: "1000/60",
    RATE_LIMIT_RUNS_ACCOUNT: "1000/60",
  });
});
afterEach(() => deed.stop());

/** Milliseconds of a forced run, which finds no record and so searches everything. */
async function forcedRun(client: Client, { verificationId }: OpenClaim): Promise<number> {
  const from = performance.now();
  const { status, body } = await client.post(`/api/verifications/${verificationId}/runs`);
  expect([status, body]).toMatchObject([200, { diagnosis: { code: expect.any(String) } }]);
  return performance.now() - from;
}

async function health(): Promise<string> {
  const response = await fetch(`${deed.service.url}/api/health`);
  const { status, dns } = (await response.json()) as { status: string; dns: string };
  return `${response.status} ${status}${dns === "failing" ? ", DNS failing" : ""}`;
}

it("a backlog of claims at one DNS host is proved in three minutes and holds up no other customer there", async () => {
  const { playground, service } = deed;
  const zone = (name: string) =>
    playground.addZone({ name, nameservers: NAMESERVERS, records: siteRecords(name) });
  zone("other.example");
  const other = await signIn(service, "other@example.org");
  const theirs = await openClaim(other, "other.example");
  for (let i = 0; i < POLLED; i++) {
    zone(`waiting${i}.example`);
    await openClaim(other, `waiting${i}.example`);
  }
  const alone = quantile([await forcedRun(other, theirs), await forcedRun(other, theirs)], 0.5);

  const clients = await Promise.all(
    Array.from({ length: ACCOUNTS }, (_, i) => signIn(service, `customer${i}@example.org`)),
  );
  const began = Date.now();
  const open = async (client: Client, at: number) => {
    for (let i = at; i < CLAIMS; i += ACCOUNTS) {
      const name = `shop${i}.example`;
      zone(name);
      const claim = await openClaim(client, name);
      playground.addRecord(name, txt(claim.name, claim.token));
    }
  };
  await Promise.all(clients.map(open));
  const firstDue = began + FIRST_READ_SECONDS * 1000;
  expect(Date.now()).toBeLessThan(firstDue);
  const lastDue = Date.now() + FIRST_READ_SECONDS * 1000;

  const proved = async () => {
    const pages = await Promise.all(clients.map((client) => client.get("/api/claims")));
    const claims = pages.flatMap(({ body }) => (body as { claims: { state: string }[] }).claims);
    return claims.filter(({ state }) => state === "proved").length;
  };
  const states = new Set<string>();
  const took: number[] = [];
  let isOver = false;
  const runs = async () => {
    await sleep(firstDue - Date.now());
    for (; !isOver; await sleep(200)) {
      took.push(await forcedRun(other, theirs));
      states.add(await health());
    }
  };
  const running = runs();
  await sleep(firstDue - Date.now());
  while ((await proved()) < CLAIMS && Date.now() < lastDue + PROVED_MS) await sleep(500);
  const seconds = (Date.now() - lastDue) / 1000;
  isOver = true;
  await running;

  figure("one DNS host: claims published before their first read", CLAIMS);
  figure("one DNS host: claims without a record, read meanwhile", POLLED);
  figure("one DNS host: proved, after the last was due, in seconds", seconds.toFixed(1));
  figure("one DNS host: a forced run of another customer alone, ms", alone.toFixed(0));
  figure("one DNS host: a forced run of another customer meanwhile", spread(took, "ms"));
  figure("one DNS host: health meanwhile", [...states].join("; "));
  expect(await proved()).toBe(CLAIMS);
  expect(seconds).toBeLessThan(PROVED_MS / 1000);
  expect([...states]).toEqual(["200 ok"]);
  expect(took.length).toBeGreaterThan(3);
  expect(Math.max(...took) - alone).toBeLessThan(ADDED_MS);
}, 600_000);
