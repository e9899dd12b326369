import { setTimeout as sleep } from "node:timers/promises";
import { siteRecords } from "@deed/playground/samples.ts";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Client } from "../support/deed.ts";
import { type Deed, type OpenClaim, openClaim, signIn, startDeed } from "../support/deed.ts";
import { figure, quantile } from "./figures.ts";

const SILENT = 120;
const NAMESERVERS = ["ns1.hosting.example", "ns2.hosting.example"];
/** Names with a separate zone each, whose servers do not answer for it or anything below it. */
const silentName = (i: number) => `silent${i}.example`;

/** The allowed delay of a forced run compared with an idle service, and of a due read. */
const ADDED_MS = 500;
const LATE_MS = 5_000;
/** Late enough for a flood to be under way before a claim that was opened with it is due. */
const FIRST_READ_SECONDS = 10;

let deed: Deed;
let holder: Client;
let held: OpenClaim;

beforeEach(async () => {
  deed = await startDeed({
    FIRST_READ_SECONDS: String(FIRST_READ_SECONDS),
    TRUSTED_PROXIES: "127.0.0.0/8,::1/128",
    RATE_LIMIT_API: "100000/60",
    RATE_LIMIT_ADDITIONS: "100000/60",
    RATE_LIMIT_RUNS_VERIFICATION: "1000/60",
    RATE_LIMIT_RUNS_ACCOUNT: "1000/60",
    // All the silent zones share two server addresses here.
    RATE_LIMIT_DNS_ADDRESS: "100000000/1",
  });
  const { playground, service } = deed;
  for (let i = 0; i < SILENT; i++) {
    const name = silentName(i);
    playground.addZone({ name, nameservers: NAMESERVERS, records: siteRecords(name) });
    for (const host of NAMESERVERS) playground.setServerFault(host, "silent", name);
  }
  holder = await signIn(service, "holder@acme.example");
  held = await openClaim(holder, "acme.com");
});

afterEach(() => deed.stop());

async function forcedRun(): Promise<number> {
  const from = performance.now();
  const answer = await holder.post(`/api/verifications/${held.verificationId}/runs`);
  expect([answer.status, (answer.body as { lastOutcome: string }).lastOutcome]).toEqual([
    200,
    "absent",
  ]);
  return performance.now() - from;
}

async function forcedRuns(times: number): Promise<number> {
  const took: number[] = [];
  for (let i = 0; i < times; i++) {
    took.push(await forcedRun());
    await sleep(200);
  }
  // The median: a run of another test beside this one may delay any single one.
  return quantile(took, 0.5);
}

/** Milliseconds of a zone read by a client that takes no part in the flood. */
async function strangersRead(): Promise<number> {
  const from = performance.now();
  const answer = await fetch(`${deed.service.url}/api/zones/globex.com`, {
    headers: { "X-Forwarded-For": "203.0.113.1" },
  });
  expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining("globex")]);
  return performance.now() - from;
}

/** Opens a claim and returns when its first read is due, in epoch milliseconds. */
async function opened(client: Client, name: string): Promise<{ claim: OpenClaim; dueAt: number }> {
  const claim = await openClaim(client, name);
  return { claim, dueAt: Date.now() + FIRST_READ_SECONDS * 1000 };
}

/** How late the first read of a claim is, in milliseconds; infinite if it does not happen within half a minute. */
async function lateBy(client: Client, { claim, dueAt }: Awaited<ReturnType<typeof opened>>) {
  const path = `/api/verifications/${claim.verificationId}/attempts`;
  for (; Date.now() < dueAt + 30_000; await sleep(500)) {
    const { attempts } = (await client.get(path)).body as { attempts: { at: string }[] };
    const first = attempts.at(-1);
    if (first) return Date.parse(first.at) - dueAt;
  }
  return Number.POSITIVE_INFINITY;
}

describe("a flood of reads of silent zones", () => {
  it("by four addresses, thirty each, holds up nobody else", async () => {
    const due = await opened(holder, "initech.com");
    const alone = await forcedRuns(3);
    await sleep(due.dueAt - 3_000 - Date.now());
    const leaving = new AbortController();
    const flood = Array.from({ length: 120 }, (_, i) =>
      fetch(`${deed.service.url}/api/zones/${silentName(i)}`, {
        signal: leaving.signal,
        headers: { "X-Forwarded-For": `198.51.100.${1 + (i % 4)}` },
      }).catch(() => null),
    );
    await sleep(500);
    const [strangerMs, under, lateMs] = await Promise.all([
      strangersRead(),
      forcedRuns(5),
      lateBy(holder, due),
    ]);
    leaving.abort();
    await Promise.all(flood);
    figure("flood of zone reads: a forced run alone, median, ms", alone.toFixed(0));
    figure("flood of zone reads: a forced run under it, median, ms", under.toFixed(0));
    figure("flood of zone reads: another client's zone read, ms", strangerMs.toFixed(0));
    figure("flood of zone reads: a due read late by, ms", lateMs);
    expect(under - alone).toBeLessThan(ADDED_MS);
    expect(strangerMs).toBeLessThan(LATE_MS);
    expect(lateMs).toBeLessThan(LATE_MS);
  });
});
