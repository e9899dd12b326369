import { readFile } from "node:fs/promises";
import { CHECKING_DISABLED, type DecodedPacket, RECURSION_DESIRED } from "dns-packet";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Ask, ask, askTcp, askUdp } from "./client.ts";
import { type Playground, startPlayground } from "./playground.ts";
import { txt } from "./records.ts";

let now = 1_700_000_000_000;
let playground: Playground;
beforeAll(async () => {
  playground = await startPlayground({ clock: () => now });
});
afterAll(() => playground.stop());
beforeEach(() => playground.flushWitnesses());

const NAME = "_service-challenge.acme.com";
const FIRST = "ns61.domaincontrol.com";
const SECOND = "ns62.domaincontrol.com";

const at = (host: string) => by(playground.world.addressOf(host) ?? "");
const by = (address: string) => ({ address, port: playground.port });
const [ROOT, COM, WITNESS] = ["127.0.0.10", "127.0.0.11", "127.0.0.61"];
const witness = () => by(WITNESS);
const resolve = (name: string, flags = 0) => ask(witness(), recursive(name, flags));
const rcode = (packet: DecodedPacket | null) => (packet?.flags ?? 0) & 15;
const texts = (packet: DecodedPacket | null) =>
  (packet?.answers ?? []).flatMap((record) => (record.type === "TXT" ? String(record.data) : []));
const recursive = (name: string, flags = 0): Ask => ({
  name,
  type: "TXT",
  flags: RECURSION_DESIRED | flags,
});
const edns = (packet: DecodedPacket | null) =>
  (packet?.additionals ?? []).find((record) => record.type === "OPT");

describe("an authoritative server of the playground", () => {
  it("is reached from the root by referrals with glue", async () => {
    const hints = await readFile(playground.env.DNS_ROOT_HINTS, "utf8");
    expect(hints).toMatch(
      /^\. +3600000 +NS +a\.root\.example\.\na\.root\.example\. +3600000 +A +127\.0\.0\.10\n$/,
    );
    const root = await ask(by(ROOT), { name: NAME, type: "TXT" });
    expect(root?.flag_aa).toBe(false);
    expect(root?.authorities).toMatchObject([{ name: "com", type: "NS", data: "a.registry.com" }]);
    expect(root?.additionals).toContainEqual(
      expect.objectContaining({ name: "a.registry.com", type: "A", data: "127.0.0.11" }),
    );
    const com = await ask(by(COM), { name: NAME, type: "TXT" });
    expect(com?.authorities?.map((record) => "data" in record && record.data)).toEqual([
      FIRST,
      SECOND,
    ]);
  });

  it("answers NXDOMAIN for a name that is not registered", async () => {
    const packet = await ask(by(COM), { name: "unregistered.com", type: "NS" });
    expect([packet?.flag_aa, rcode(packet)]).toEqual([true, 3]);
  });

  it("refuses a zone it does not hold", async () => {
    expect(rcode(await ask(at(FIRST), { name: "globex.com", type: "SOA" }))).toBe(5);
  });

  it("raises the serial with each change, on one server only if only its copy changed", async () => {
    const serial = async (host: string) => {
      const packet = await ask(at(host), { name: "acme.com", type: "SOA" });
      const [soa] = packet?.answers ?? [];
      return soa?.type === "SOA" ? (soa.data.serial ?? 0) : 0;
    };
    const before = await serial(FIRST);
    playground.addRecord("acme.com", txt(NAME, "one"), FIRST);
    expect([await serial(FIRST), await serial(SECOND)]).toEqual([before + 1, before]);
    expect(texts(await ask(at(FIRST), { name: NAME, type: "TXT" }))).toEqual(["one"]);
    expect(rcode(await ask(at(SECOND), { name: NAME, type: "TXT" }))).toBe(3);
    playground.deleteRecord("acme.com", (record) => record.name === NAME);
    expect([await serial(FIRST), await serial(SECOND)]).toEqual([before + 2, before + 2]);
  });

  it("truncates an answer longer than the client accepts, and sends it whole over TCP", async () => {
    playground.addRecord("acme.com", txt("long.acme.com", "x".repeat(700)));
    const question = { name: "long.acme.com", type: "TXT" };
    expect((await askUdp(at(FIRST), question))?.flag_tc).toBe(false);
    const small = await askUdp(at(FIRST), { ...question, payload: null });
    expect([small?.flag_tc, small?.answers]).toEqual([true, []]);
    expect(edns(small)).toBeUndefined();
    playground.addRecord("acme.com", txt("long.acme.com", "y".repeat(700)));
    expect((await askUdp(at(FIRST), { ...question, payload: 4096 }))?.flag_tc).toBe(true);
    expect((await askTcp(at(FIRST), question))?.answers).toHaveLength(2);
    expect(edns(await askUdp(at(FIRST), question))).toMatchObject({ udpPayloadSize: 1232 });
  });

  it("shows each fault, everywhere or at one name only", async () => {
    const reply = (patience = 2_000) =>
      askUdp(at(FIRST), { name: "acme.com", type: "SOA" }, patience);
    for (const [fault, code] of [
      ["refused", 5],
      ["servfail", 2],
    ] as const) {
      playground.setServerFault(FIRST, fault);
      expect(rcode(await reply())).toBe(code);
    }
    playground.setServerFault(FIRST, "not_authoritative");
    expect((await reply())?.flag_aa).toBe(false);
    for (const fault of ["silent", "malformed", { delayMs: 400 }] as const) {
      playground.setServerFault(FIRST, fault);
      expect(await reply(200)).toBeNull();
    }
    playground.setServerFault(FIRST, null);
    playground.setServerFault(FIRST, "refused", "sub.acme.com");
    expect(rcode(await reply())).toBe(0);
    const below = () => askUdp(at(FIRST), { name: "x.sub.acme.com", type: "A" });
    expect(rcode(await below())).toBe(5);
    playground.clearFaults("other.com");
    expect(rcode(await below())).toBe(5);
    playground.clearFaults("acme.com");
    expect(rcode(await below())).not.toBe(5);
  });

  it("starts nameservers within a zone, with glue in the parent", async () => {
    const address = await playground.addNameserver("ns1.umbrella.com");
    playground.addZone({
      name: "umbrella.com",
      nameservers: ["ns1.umbrella.com", "ns9.nowhere.com"],
    });
    const com = await ask(by(COM), { name: "umbrella.com", type: "A" });
    expect(com?.additionals).toContainEqual(expect.objectContaining({ data: address }));
    const own = await ask(by(address), { name: "ns1.umbrella.com", type: "A" });
    expect([own?.flag_aa, own?.answers?.length]).toEqual([true, 1]);
    playground.removeZone("umbrella.com");
    expect(rcode(await ask(by(address), { name: "umbrella.com", type: "A" }))).toBe(5);
  });
});

describe("a witness of the playground", () => {
  it("finds a record on nameservers without glue, and counts its TTL down", async () => {
    playground.setRecords("lantern.example", [txt("_service-challenge.lantern.example", "t", 300)]);
    const first = await resolve("_service-challenge.lantern.example");
    expect(texts(first)).toEqual(["t"]);
    expect(first).toMatchObject({ flag_ra: true, flag_aa: false, flag_ad: false });
    now += 100_000;
    expect((await resolve("_service-challenge.lantern.example"))?.answers).toMatchObject([
      { ttl: 200 },
    ]);
  });

  it("caches the absence of a name for the zone's negative TTL", async () => {
    const denied = await resolve(NAME);
    expect([rcode(denied), denied?.authorities]).toMatchObject([3, [{ type: "SOA", ttl: 60 }]]);
    playground.addRecord("acme.com", txt(NAME, "now"));
    now += 59_000;
    const still = await resolve(NAME);
    expect([rcode(still), still?.authorities]).toMatchObject([3, [{ ttl: 1 }]]);
    now += 1_000;
    expect(texts(await resolve(NAME))).toEqual(["now"]);
    playground.deleteRecord("acme.com", (record) => record.name === NAME);
  });

  it("answers SERVFAIL with an extended error for a badly signed zone, unless checking is disabled", async () => {
    playground.addZone({
      name: "broken.example",
      nameservers: [FIRST],
      signing: "bogus",
      records: [txt("broken.example", "t")],
    });
    const refused = await resolve("broken.example");
    expect([rcode(refused), edns(refused)]).toMatchObject([2, { options: [{ code: 15 }] }]);
    const unchecked = await resolve("broken.example", CHECKING_DISABLED);
    expect([rcode(unchecked), texts(unchecked), unchecked?.flag_ad]).toEqual([0, ["t"], false]);
  });

  it("reports that a signed zone was validated if the client asks", async () => {
    const AUTHENTIC_DATA = 32;
    expect((await resolve("globex.com", AUTHENTIC_DATA))?.flag_ad).toBe(true);
    expect((await resolve("globex.com"))?.flag_ad).toBe(false);
    expect((await resolve("acme.com", AUTHENTIC_DATA))?.flag_ad).toBe(false);
  });

  it("follows aliases across zones", async () => {
    const alias = { name: "far.acme.com", type: "CNAME", ttl: 60, data: "globex.com" } as const;
    playground.addRecord("acme.com", alias);
    const packet = await resolve("far.acme.com");
    expect(packet?.answers?.map((record) => record.type)).toEqual(["CNAME", "TXT"]);
  });

  it("skips a dead server, and caches no failure if all are dead", async () => {
    playground.setServerFault(FIRST, "silent");
    expect(rcode(await askUdp(witness(), recursive("acme.com"), 5_000))).toBe(0);
    playground.flushWitnesses();
    playground.setServerFault(SECOND, "refused");
    expect(rcode(await askUdp(witness(), recursive("acme.com"), 5_000))).toBe(2);
    playground.setServerFault(FIRST, null);
    playground.setServerFault(SECOND, null);
    expect(rcode(await resolve("acme.com"))).toBe(0);
  });

  it("counts queries", async () => {
    const before = playground.received("cloudflare");
    await playground.primeWitnesses("acme.com");
    expect(playground.received("cloudflare")).toBe(before + 1);
    expect(playground.received()).toBeGreaterThan(before);
  });
});
