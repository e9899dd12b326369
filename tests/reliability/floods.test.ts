import { setTimeout as sleep } from "node:timers/promises";
import { siteRecords } from "@deed/playground/samples.ts";
import { expect, it, onTestFinished, vi } from "vitest";
import { type OpenClaim, openClaim, poll, roomy, signIn, startDeed } from "../support/deed.ts";
import { figure, quantile } from "./figures.ts";

const SILENT = 120;
const NAMESERVERS = ["ns1.hosting.example", "ns2.hosting.example"];
/** Names with their own zones, whose servers do not answer for anything in them. */
const silentName = (i: number) => `silent${i}.example`;

/** How much longer a forced run may take than on an idle service, and how late others' reads; without turns 12 and 20 s. */
const ADDED_MS = 2_000;
const LATE_MS = 5_000;
/** By then the flood has begun. */
const FIRST_READ_SECONDS = 5;

// A flood of reads of silent zones.
it("by four addresses, thirty each, delays nobody else", async () => {
  const { playground, service, stop } = await startDeed({
    FIRST_READ_SECONDS: String(FIRST_READ_SECONDS),
    TRUSTED_PROXIES: "127.0.0.0/8,::1/128",
    // Here all silent zones share two server addresses.
    ...roomy("API", "RUNS_VERIFICATION", "RUNS_ACCOUNT", "DNS_ADDRESS"),
  });
  onTestFinished(stop);
  for (let i = 0; i < SILENT; i++) {
    const name = silentName(i);
    playground.addZone({ name, nameservers: NAMESERVERS, records: siteRecords(name) });
    for (const host of NAMESERVERS) playground.setServerFault(host, "silent", name);
  }
  const holder = await signIn(service, "holder@acme.example");
  const held = await openClaim(holder, "acme.com");
  /** Milliseconds of each of so many forced runs. Their median counts, since another test may delay any single one. */
  const forcedRuns = async (times: number) => {
    const took: number[] = [];
    for (let i = 0; i < times; i++) {
      const from = performance.now();
      const answer = await holder.post(`/api/verifications/${held.verificationId}/runs`);
      expect(answer).toMatchObject({ status: 200, body: { lastOutcome: "absent" } });
      took.push(performance.now() - from);
      await sleep(200);
    }
    return quantile(took, 0.5);
  };
  /** Milliseconds for a client outside the flood to read a zone. */
  const strangersRead = async () => {
    const from = performance.now();
    const headers = { "X-Forwarded-For": "203.0.113.1" };
    const answer = await fetch(`${service.url}/api/zones/globex.com`, { headers });
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining("globex")]);
    return performance.now() - from;
  };
  /** How late the first read of a claim was, in milliseconds. */
  const lateBy = async ({ verificationId }: OpenClaim, dueAt: number) => {
    const path = `/api/verifications/${verificationId}/attempts`;
    const read = await poll(holder, path, ({ attempts }) => (attempts as unknown[]).length > 0);
    const [first] = (read.attempts as { at: string }[]).slice(-1);
    return Date.parse(first?.at ?? "") - dueAt;
  };

  const alone = await forcedRuns(3);
  const due = await openClaim(holder, "initech.com");
  const dueAt = Date.now() + FIRST_READ_SECONDS * 1000;
  const leaving = new AbortController();
  const flood = Array.from({ length: SILENT }, (_, i) =>
    fetch(`${service.url}/api/zones/${silentName(i)}`, {
      signal: leaving.signal,
      headers: { "X-Forwarded-For": `198.51.100.${1 + (i % 4)}` },
    }).catch(() => null),
  );
  await vi.waitUntil(() => NAMESERVERS.some((host) => playground.received(host) > 0), 30_000);
  const [strangerMs, under, lateMs] = await Promise.all([
    strangersRead(),
    forcedRuns(5),
    lateBy(due, dueAt),
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
