import { describe, expect, it } from "vitest";
import { rcode, silent } from "../testing/faults.ts";
import { oneWorld } from "../testing/one-world.ts";
import { nameservers, txt } from "../testing/rows.ts";
import { netOf, TOKEN, type WorldSetup } from "../testing/world.ts";
import { ZoneSigner } from "../testing/zone-signer.ts";
import { explain, InvalidInput, verify, zone } from "./index.ts";

const NET = netOf(3_900);

const QUESTION = { domain: "acme.test", token: TOKEN };

const openWorld = oneWorld(NET);
const open = async (setup?: WorldSetup) => (await openWorld(setup)).settings;

describe("verify", () => {
  it("finds the record, whatever the domain's letter case and the dot at its end", async () => {
    const verdict = await verify({ domain: "ACME.test.", token: TOKEN }, await open());
    const nothing = { diagnosis: null, wait: null, cause: null, fix: null };
    expect(verdict).toMatchObject({ outcome: "found", ...nothing });
    expect(verdict.nameservers.map(({ says }) => says)).toEqual(Array(2).fill(`has “${TOKEN}”`));
    expect(JSON.parse(JSON.stringify(verdict))).toEqual(verdict);
    expect(verdict.evidence.seen.packets).toBeLessThanOrEqual(20);
  });

  it("reads an internationalised domain under its A-label", async () => {
    const settings = await open({ domain: "xn--bcher-kva.test" });
    expect(await verify({ domain: "Bücher.test", token: TOKEN }, settings)).toMatchObject({
      outcome: "found",
      evidence: { seen: { domain: "xn--bcher-kva.test" } },
    });
  });

  it("names the mistake, its cause and its fix, and explains it again from what was stored", async () => {
    const verdict = await verify(QUESTION, await open({ records: [txt("acme.test")] }));
    expect(verdict).toMatchObject({
      outcome: "absent",
      diagnosis: { code: "record_at_apex", awaits: "claimant" },
      wait: null,
      zone: { ttl: 3600, negativeTtl: 300 },
      cause: expect.stringContaining("acme.test itself"),
      fix: expect.stringContaining("_service-challenge"),
    });
    const { outcome: _, diagnosis: __, wait: ___, evidence, ...words } = verdict;
    expect(explain(JSON.parse(JSON.stringify(evidence)))).toEqual(words);
  });

  it("takes the labels and tokens of other services, and no other token of theirs for a damaged one", async () => {
    const label = "_better-auth-token-Acme";
    const token = `${label}=kX2vQ9bT7mW4cZ8nR5jL3pYd`;
    const name = `${label.toLowerCase()}.acme.test`;
    const at = async (data: string) => {
      const settings = await open({ records: [txt(name, data)] });
      const verdict = await verify({ domain: "acme.test", label, token }, settings);
      return verdict.diagnosis?.code ?? verdict.outcome;
    };
    expect(await at(token)).toBe("found");
    expect(await at(`"${token}"`)).toBe("value_formatted");
    expect(await at(token.slice(0, -5))).toBe("value_formatted");
    expect(await at(`${label}=aB3dE6gH9kL2nP5qS8tV1wXz`)).toBe("no_matching_record");
  });

  it("counts a second read from the one before it", async () => {
    const servers = { 5: { behaviour: rcode(5) } };
    const settings = await open({ nameservers: nameservers(NET, 3), servers });
    const first = await verify(QUESTION, settings);
    expect(first).toMatchObject({ outcome: "absent", wait: { reason: "nameserver_sync" } });
    expect(first.cause).toContain("but ns3.acme.test");
    expect(first.fix).toMatch(/^Leave the record as it is for /);
    const clock = () => first.wait?.until ?? 0;
    const again = { ...QUESTION, before: first.evidence };
    const seen = { ...first.evidence.seen, token: "" };
    const other = { ...again, before: { ...first.evidence, seen } };
    expect((await verify(other, { ...settings, clock })).outcome).toBe("absent");
    expect((await verify(QUESTION, { ...settings, clock })).outcome).toBe("absent");
    expect((await verify(again, { ...settings, clock })).outcome).toBe("found");
  });

  it("says what keeps this machine from reading DNS", async () => {
    const settings = await open({ root: { behaviour: silent }, patience: 0.1 });
    expect(await verify(QUESTION, settings)).toMatchObject({
      outcome: "unresolvable",
      diagnosis: null,
      cause: "No server of the root answers this machine.",
      fix: expect.stringContaining("port 53"),
    });
  });

  it("rejects when its signal aborts, and sends nothing if it has", async () => {
    const stop = new AbortController();
    const behaviour = () => {
      stop.abort(new Error("enough"));
      return [];
    };
    const world = await openWorld({ root: { behaviour } });
    const { settings } = world;
    await expect(verify(QUESTION, { ...settings, signal: stop.signal })).rejects.toThrow("enough");
    const seen = world.seenBy(1);
    const verdict = verify(QUESTION, { ...settings, signal: stop.signal });
    await expect(verdict).rejects.toThrow("enough");
    expect(world.seenBy(1)).toBe(seen);
  });

  it.each([
    ["domain", { domain: "a..b" }, "two dots in a row"],
    ["domain", { domain: "https://acme.test" }, "cannot contain “:”"],
    ["domain", { domain: "192.0.2.1" }, "IP address"],
    ["domain", { domain: "a".repeat(600) }, "longer than 253"],
    ["domain", { domain: `${"a.".repeat(120)}com` }, "longer than a DNS name"],
    ["label", { label: "" }, "letters, digits"],
    ["label", { label: "a b" }, "letters, digits"],
    ["options", { lable: "_acme-proof" }, "“lable”"],
    ["token", { token: "short" }, "16 to 255"],
    ["token", { token: `${TOKEN}\n` }, "16 to 255"],
  ])("refuses a bad %s before any packet: %j", async (field, bad, reason) => {
    const world = await openWorld();
    const verdict = verify({ domain: "acme.test", token: TOKEN, ...bad }, world.settings);
    await expect(verdict).rejects.toBeInstanceOf(InvalidInput);
    const message = expect.stringContaining(reason);
    await expect(verdict).rejects.toMatchObject({ field, message });
    expect(world.seenBy(1)).toBe(0);
  });
});

it("explains nothing but the evidence of a verdict, and knows no other options", async () => {
  expect(() => explain({} as never)).toThrow(InvalidInput);
  const misspelt = verify(QUESTION, { witneses: [] } as never);
  await expect(misspelt).rejects.toMatchObject({ field: "options" });
});

describe("zone", () => {
  it("tells who serves the zone, and whether its parent has keys for it", async () => {
    const signer = new ZoneSigner("acme.test");
    const records = [{ name: "acme.test", type: "DS" as const, data: signer.ds }];
    for (const signed of [true, false]) {
      const settings = await open(signed ? { signed, signer, tld: { records } } : {});
      expect(await zone("www.acme.test", settings)).toMatchObject({
        type: "read",
        zone: "acme.test",
        nameservers: ["ns1.acme.test", "ns2.acme.test"],
        ...{ ttl: 3600, negativeTtl: 300, provider: "other", operator: null, signed },
      });
    }
  });

  it("tells a name that nobody registered from DNS that cannot be read", async () => {
    const served = await open();
    for (const name of ["nobody.test", "a.b.nobody.test", "acme.nosuch"])
      expect(await zone(name, served)).toEqual({ type: "no_delegation" });
    const settings = await open({ root: { behaviour: silent }, patience: 0.1 });
    expect(await zone("acme.test", settings)).toEqual({ type: "unresolvable" });
  });
});
