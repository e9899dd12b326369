import type { Glance } from "@deed/dns/resolve/reader.ts";
import { absentAt, foundAt } from "@deed/dns/testing/readings.ts";
import { replyHash } from "@deed/dns/verdict/evidence.ts";
import type { Observation } from "@deed/dns/verdict/observation.ts";
import { describe, expect, it } from "vitest";
import { claimed, liveUntil, readDue, stay } from "#app/core/testing/service.ts";
import { DAY, HOUR, MINUTE, SECOND } from "#app/core/time.ts";
import { verifications } from "#db/schema.ts";
import { cancelClaim } from "./claims.server.ts";
import { glanceRound, noteWaiting } from "./glances.server.ts";
import { GLANCE_EVERY_MS, Glances, ROUND_MS } from "./glances.ts";

const answered = (hash: string, hasToken = false): Glance => ({
  type: "answered",
  digest: hash,
  hasToken,
});

/** A claim that somebody waits for, after its first read. Nameservers answer glances as they answered that read. */
async function watched() {
  const one = await claimed();
  const { service, ctx, account, claim } = one;
  const sign = () => noteWaiting(ctx, account.id, claim.id);
  await sign();
  let first: Observation | undefined;
  service.see = async (question, at) => {
    first ??= await absentAt(question, at);
    return absentAt(question, at);
  };
  await liveUntil(service, service.now + 11 * SECOND);
  const hash = new Map(first?.servers.map(({ host, answer }) => [host, replyHash(answer)]));
  const says = new Map<string, Glance>([...hash].map(([host, same]) => [host, answered(same)]));
  const glances: string[] = [];
  service.glance = async ({ server: { host } }) => {
    glances.push(host);
    return says.get(host) ?? { type: "silent" };
  };
  /** Lets time pass, with the scheduled reads. Returns how many glances and reads there were. */
  async function pass(ms: number) {
    const [before, readsBefore] = [glances.length, service.asked.length];
    for (const until = service.now + ms; service.now < until; ) {
      service.now += GLANCE_EVERY_MS;
      await glanceRound(ctx, stay);
      await ctx.runs.drain(MINUTE);
      await readDue(service);
    }
    return { glances: glances.length - before, reads: service.asked.length - readsBefore };
  }
  return { ...one, sign, says, glances, pass, hosts: [...hash.keys()] };
}

const MANY = ["ns1.example.net", "ns2.example.net"];

describe("C9.10: a claim that somebody waits for", () => {
  it("is glanced at every two seconds, each nameserver in turn, read once a minute, and not proved by glances", async () => {
    const { says, glances, pass, hosts, read } = await watched();
    expect([hosts, await pass(5 * MINUTE)]).toEqual([MANY, { glances: 150, reads: 5 }]);
    for (const host of hosts) expect(glances.filter((one) => one === host)).toHaveLength(75);
    for (const host of hosts) says.set(host, answered("there", true));
    await pass(2 * MINUTE);
    expect((await read()).state).toBe("pending");
  });

  it("is read as soon as one nameserver has the token, and as soon as the other has", async () => {
    const { service, says, glances, pass, attempts } = await watched();
    service.see = async (question, at) => {
      const [has, lacks] = [await foundAt(question, at), await absentAt(question, at)];
      return { ...lacks, servers: [...has.servers.slice(0, 1), ...lacks.servers.slice(1)] };
    };
    says.set("ns1.example.net", answered("there", true));
    expect((await pass(2 * GLANCE_EVERY_MS)).reads).toBe(1);
    const before = glances.length;
    await pass(20 * SECOND);
    // The server that has the record gets no glances.
    expect(new Set(glances.slice(before))).toEqual(new Set(["ns2.example.net"]));
    service.see = foundAt;
    says.set("ns2.example.net", answered("there", true));
    expect((await pass(GLANCE_EVERY_MS)).reads).toBe(1);
    expect((await attempts())[0]).toMatchObject({ outcome: "found", trigger: "scheduled" });
    expect(await pass(MINUTE)).toEqual({ glances: 0, reads: 0 });
  });

  it.each([
    ["without the token once a minute", false, 10, 11],
    ["with it four at once and three a minute", true, 25, 33],
  ])("is read for answers that change: %s", async (_, hasToken, least, most) => {
    const { service, pass } = await watched();
    service.glance = async () => answered(String(service.now), hasToken);
    const { reads } = await pass(9.5 * MINUTE);
    expect(reads).toBeGreaterThanOrEqual(least);
    expect(reads).toBeLessThanOrEqual(most);
  });

  it("C9.12: has none at a server after three silences, nor any once one refused", async () => {
    const { says, glances, pass } = await watched();
    says.delete("ns1.example.net");
    await pass(50 * SECOND);
    expect(glances.filter((host) => host === "ns1.example.net")).toHaveLength(3);
    says.set("ns2.example.net", { type: "refused" });
    await pass(GLANCE_EVERY_MS);
    // Read at the usual interval: every 15 seconds.
    const after = await pass(4 * MINUTE);
    expect(after.glances).toBe(0);
    expect(after.reads).toBeGreaterThan(13);
  });

  it("has none ten minutes after the last sign, beyond an hour a day, nor after its end", async () => {
    const { service, ctx, account, claim, sign, pass } = await watched();
    expect((await pass(HOUR)).glances).toBe(294);
    service.now += DAY;
    await sign();
    await pass(SECOND);
    let seconds = 0;
    for (let minute = 0; minute < 100; minute++) {
      await sign();
      seconds += ((await pass(MINUTE)).glances * GLANCE_EVERY_MS) / SECOND;
    }
    expect(seconds).toBeGreaterThan(3_500);
    expect(seconds).toBeLessThanOrEqual(3_602);
    service.now += DAY;
    await sign();
    await pass(MINUTE);
    await cancelClaim(ctx, account.id, claim.id);
    expect(await pass(MINUTE)).toEqual({ glances: 0, reads: 0 });
    await expect(sign()).rejects.toMatchObject({ code: "claim_ended" });
  });

  it("has none while a resolver's wait is told", async () => {
    const { service, ctx, pass } = await watched();
    const waitUntil = service.now + 3 * MINUTE;
    const told = { status: "propagating", diagnosis: null, waitReason: "negative_cache" } as const;
    const wait = { ...told, waitUntil, nextRunAt: waitUntil };
    ctx.db.update(verifications).set(wait).run();
    expect(await pass(3 * MINUTE - 2 * GLANCE_EVERY_MS)).toEqual({ glances: 0, reads: 0 });
    await pass(3 * GLANCE_EVERY_MS);
    expect((await pass(30 * SECOND)).glances).toBe(15);
  });
});

it("C9.12: 300 glances a second are made, and no account takes all places", async () => {
  const { claim } = await claimed();
  const seen = await absentAt({ domain: "acme.com", label: "_a", token: claim.token }, 0);
  let glances = new Glances();
  const watch = (accountId: string, count: number, address = "") => {
    for (let at = 0; at < count; at++) {
      const id = `${accountId}${at}`;
      glances.noteWaiting({ id, accountId }, 0);
      const servers = seen.servers.map((one) => ({ ...one, address: address || `of ${id}` }));
      glances.noteRead(id, { ...seen, servers }, 0);
    }
  };
  const made = new Map<string, number>();
  const pass = (ms: number, from: number) => {
    made.clear();
    for (let now = from; now < from + ms; now += ROUND_MS)
      for (const { id } of glances.nextRound(now, (address) => address !== "full"))
        made.set(id, (made.get(id) ?? 0) + 1);
    return [...made.values()].reduce((sum, one) => sum + one, 0);
  };
  watch("full", 2_000, "full");
  watch("small", 10);
  expect(pass(4 * SECOND, 0)).toBe(20);
  glances = new Glances();
  for (const flood of ["one", "two", "three"]) watch(flood, 2_000);
  watch("small", 10);
  expect(glances.size).toBeLessThan(1_200);
  expect(pass(10 * SECOND, MINUTE)).toBe(3_000);
  expect([...made].filter(([id]) => id.startsWith("small"))).toHaveLength(10);
});
