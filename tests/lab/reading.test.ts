import { setTimeout as delay } from "node:timers/promises";
import { createReader } from "@deed/dns/resolve/create-reader.ts";
import type { Reader } from "@deed/dns/resolve/reader.ts";
import { decide } from "@deed/dns/verdict/decide.ts";
import { type History, UNREAD } from "@deed/dns/verdict/history.ts";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readerSettings } from "../support/reader-settings.ts";
import { both, LABEL, record, TOKEN, zone } from "./case.ts";
import { CASES } from "./cases.ts";
import { describeLab, type Lab, startLab } from "./lab.ts";
import { NS1, NS2 } from "./zones.ts";

/** A read may take ten seconds, plus half a second to finish. */
const LONGEST_READ = 10_500;
const MOST_PACKETS = 60;

const FORGETFUL = zone("forgetful.com", both(), { minimum: 4 });
const OUTLIVED = zone("outlived.com", both(record(TOKEN)));
const DESERTED = zone("deserted.com", both(record(TOKEN)));

const HISTORY: History = {
  ...UNREAD,
  endedTokens: [],
  domainOf: () => null,
  tokenPrefix: "service_v1_",
};

describeLab("reading zones on knotd through unbound", () => {
  let lab: Lab;
  let reader: Reader;
  beforeAll(async () => {
    lab = await startLab([
      ...CASES.flatMap(({ zone, others = [] }) => [zone, ...others]),
      ...[FORGETFUL, OUTLIVED, DESERTED],
    ]);
    reader = createReader(readerSettings(lab.env));
  });
  afterAll(async () => {
    reader?.close();
    await lab?.stop();
  });

  const read = async (domain: string, history: Partial<History> = {}) => {
    const question = { domain, label: LABEL, token: TOKEN };
    const seen = await reader.readChallenge(question, AbortSignal.timeout(30_000));
    return { seen, decision: decide(seen, { ...HISTORY, ...history }) };
  };

  it.for(CASES)("$title", async ({ zone, domain, history, before, ...expected }) => {
    await before?.(lab);
    const { seen, decision } = await read(domain ?? zone.name, history);
    expect(decision).toMatchObject(expected.decision);
    expect(seen).toMatchObject(expected.observation ?? {});
    expect(seen.durationMs).toBeLessThan(LONGEST_READ);
    expect(seen.packets).toBeLessThanOrEqual(MOST_PACKETS);
    expect(seen.exchanges.filter(({ address }) => !address.startsWith("127."))).toEqual([]);
  });

  it("reports how long resolvers cache the old answer, and finds the record afterwards", async () => {
    await lab.prime(`${LABEL}.${FORGETFUL.name}`);
    await delay(2_000);
    for (const server of ["ns1", "ns2"] as const)
      await lab.setZone(server, FORGETFUL.name, [record(TOKEN)]);
    const { decision } = await read(FORGETFUL.name);
    const remaining =
      decision.outcome === "absent" && decision.diagnosis?.code === "negative_cache"
        ? decision.diagnosis.observed.secondsRemaining
        : null;
    expect([0, 1, 2]).toContain(remaining);
    // unbound counts time in whole seconds, so it may be one second late.
    await expect
      .poll(async () => (await read(FORGETFUL.name)).decision, { timeout: 5_000, interval: 250 })
      .toEqual({ outcome: "found" });
  });

  it("reads a zone's public data", async () => {
    const zoneOf = (name: string) => reader.readZone(name, AbortSignal.timeout(30_000));
    expect(await zoneOf("shop.above.com")).toMatchObject({
      type: "read",
      zone: "above.com",
      nameservers: [NS1, NS2],
      ttl: 300,
      negativeTtl: 300,
    });
    expect(await zoneOf("unregistered.com")).toEqual({ type: "no_delegation" });
    expect(await zoneOf("refused.com")).toEqual({ type: "unresolvable" });
  });

  it("continues with one nameserver, and fails with none", async () => {
    await lab.stopServer("ns2");
    expect((await read(OUTLIVED.name)).decision).toMatchObject({
      wait: { reason: "nameserver_sync", observed: { secondRead: true } },
    });
    const second = await read(OUTLIVED.name, { secondReadAt: 0 });
    expect(second.decision).toEqual({ outcome: "found" });
    await lab.stopServer("ns1");
    expect((await read(DESERTED.name)).decision).toMatchObject({
      diagnosis: {
        code: "lame_delegation",
        observed: { nameservers: [NS1, NS2].map((host) => ({ host, result: "timeout" })) },
      },
    });
  });

  it("is unresolvable if the registry is silent", async () => {
    await lab.stopServer("tld");
    const { seen, decision } = await read(OUTLIVED.name);
    expect(decision).toEqual({ outcome: "unresolvable" });
    expect(seen.durationMs).toBeLessThan(LONGEST_READ);
  });
});
