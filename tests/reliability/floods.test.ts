import { setTimeout as sleep } from "node:timers/promises";
import { siteRecords } from "@deed/playground/samples.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Client } from "../support/deed.ts";
import {
  type Deed,
  type OpenClaim,
  openClaim,
  signIn,
  startDeed,
  steppedBy,
} from "../support/deed.ts";
import { figure, quantile } from "./figures.ts";

const CLAIMS = 240;
const SILENT = 120;
const NAMESERVERS = ["ns1.hosting.example", "ns2.hosting.example"];
/** Names with a separate zone each, whose servers do not answer for it or anything below it. */
const silentName = (i: number) => `silent${i}.example`;

/** The allowed delay of a forced run compared with an idle service, and of a due read. */
const ADDED_MS = 500;
const LATE_MS = 5_000;
/** A claim is due after two steps of the clock. */
const STEP_MS = 300_000;

let deed: Deed;
let holder: Client;
let held: OpenClaim;

beforeAll(async () => {
  deed = await startDeed({
    ...steppedBy(STEP_MS),
    FIRST_READ_SECONDS: String((2 * STEP_MS) / 1000),
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

afterAll(() => deed.stop());

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

let steps = 0;
/** Puts the service's clock forward; the time that it has then, epoch milliseconds. */
function step(): number {
  deed.service.child.kill("SIGUSR2");
  steps += 1;
  return Date.now() + steps * STEP_MS;
}

/** How late the first read of a claim is, in milliseconds; infinite if it does not happen within half a minute. */
async function lateBy(client: Client, { verificationId }: OpenClaim, dueAt: number) {
  const giveUpAt = Date.now() + 30_000;
  for (; Date.now() < giveUpAt; await sleep(100)) {
    const { body } = await client.get(`/api/verifications/${verificationId}/attempts`);
    const first = (body as { attempts: { at: string }[] }).attempts.at(-1);
    if (first) return Date.parse(first.at) - dueAt;
  }
  return Number.POSITIVE_INFINITY;
}

/** On a busy machine a run alone is long too. */
const allowed = (alone: number) => Math.max(ADDED_MS, alone);

describe("a flood of reads of silent zones", () => {
  it("by four addresses, thirty each, holds up nobody else", async () => {
    const claim = await openClaim(holder, "initech.com");
    const alone = await forcedRuns(3);
    const leaving = new AbortController();
    const flood = Array.from({ length: 120 }, (_, i) =>
      fetch(`${deed.service.url}/api/zones/${silentName(i)}`, {
        signal: leaving.signal,
        headers: { "X-Forwarded-For": `198.51.100.${1 + (i % 4)}` },
      }).catch(() => null),
    );
    await sleep(500);
    step();
    const [strangerMs, under, lateMs] = await Promise.all([
      strangersRead(),
      forcedRuns(5),
      lateBy(holder, claim, step()),
    ]);
    leaving.abort();
    await Promise.all(flood);
    figure("flood of zone reads: a forced run alone, median, ms", alone.toFixed(0));
    figure("flood of zone reads: a forced run under it, median, ms", under.toFixed(0));
    figure("flood of zone reads: another client's zone read, ms", strangerMs.toFixed(0));
    figure("flood of zone reads: a due read late by, ms", lateMs);
    expect(under - alone).toBeLessThan(allowed(alone));
    expect(strangerMs).toBeLessThan(LATE_MS);
    expect(lateMs).toBeLessThan(LATE_MS);
  });

  it("by one account's claims, as many as it may open, holds up nobody else", async () => {
    const alone = await forcedRuns(3);
    const flooder = await signIn(deed.service, "flooder@example.org");
    const statuses: number[] = [];
    for (let i = 0; i < CLAIMS; i += 10) {
      const answers = await Promise.all(
        Array.from({ length: 10 }, async (_, j) => {
          const domain = `n${i + j}.${silentName((i + j) % SILENT)}`;
          const added = await flooder.post("/api/domains", { domain });
          const { id: domainId } = added.body as { id: string };
          return (await flooder.post("/api/claims", { domainId })).status;
        }),
      );
      statuses.push(...answers);
    }
    const stranger = await signIn(deed.service, "stranger@example.org");
    step();
    const claim = await openClaim(stranger, "initech.com");
    // Now the flood is due.
    step();
    await sleep(1_000);
    const late = lateBy(stranger, claim, step());
    const [under, lateMs] = await Promise.all([forcedRuns(10), late]);
    const count = (status: number) => statuses.filter((one) => one === status).length;
    figure("flood of claims: opened, and refused", `${count(201)}, ${count(409)}`);
    figure("flood of claims: a forced run alone, median, ms", alone.toFixed(0));
    figure("flood of claims: a forced run under it, median, ms", under.toFixed(0));
    figure("flood of claims: a stranger's first read late by, ms", lateMs);
    expect([count(201), count(409)]).toEqual([200, CLAIMS - 200]);
    expect(under - alone).toBeLessThan(allowed(alone));
    expect(lateMs).toBeLessThan(LATE_MS);
  }, 240_000);
});
