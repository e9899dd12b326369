import { type DecodedPacket, decode, encode, RECURSION_DESIRED } from "dns-packet";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ask, askTcp, askUdp, type Question } from "./client.ts";
import { type Playground, startPlayground } from "./playground.ts";
import { txt } from "./records.ts";
import type { Recursion, Resolution } from "./recursion.ts";
import { Witness } from "./witness.ts";

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
const witness = () => by("127.0.0.61");
const resolve = (name: string, flags = 0) => askUdp(witness(), recursive(name, flags), 10_000);
const rcode = (packet: DecodedPacket | null) => (packet?.flags ?? 0) & 15;
const texts = (packet: DecodedPacket | null) =>
  (packet?.answers ?? []).flatMap((record) => (record.type === "TXT" ? String(record.data) : []));
const recursive = (name: string, flags = 0): Question => ({
  name,
  type: "TXT",
  flags: RECURSION_DESIRED | flags,
});
const edns = (packet: DecodedPacket | null) =>
  (packet?.additionals ?? []).find((record) => record.type === "OPT");

describe("an authoritative server of the playground", () => {
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
    playground.setServerFault(FIRST, "servfail");
    expect(rcode(await reply())).toBe(2);
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

  it("reports that a signed zone was validated if the client asks", async () => {
    const AUTHENTIC_DATA = 32;
    expect((await resolve("globex.com", AUTHENTIC_DATA))?.flag_ad).toBe(true);
    expect((await resolve("globex.com"))?.flag_ad).toBe(false);
    expect((await resolve("acme.com", AUTHENTIC_DATA))?.flag_ad).toBe(false);
  });

  it("skips a dead server, and caches no failure if all are dead", async () => {
    playground.setServerFault(FIRST, "silent");
    expect(rcode(await resolve("acme.com"))).toBe(0);
    playground.flushWitnesses();
    playground.setServerFault(SECOND, "refused");
    expect(rcode(await resolve("acme.com"))).toBe(2);
    playground.setServerFault(FIRST, null);
    playground.setServerFault(SECOND, null);
    expect(rcode(await resolve("acme.com"))).toBe(0);
  });

  it("keeps the answer it gave when a slower walk for the same question ends later", async () => {
    const walks: ((resolution: Resolution) => void)[] = [];
    const resolve = () => new Promise<Resolution>((end) => walks.push(end));
    const resolver = new Witness(
      { resolve } as unknown as Recursion,
      () => "unsigned",
      () => now,
    );
    const query = encode({
      type: "query",
      flags: RECURSION_DESIRED,
      questions: [{ type: "TXT", name: NAME }],
    });
    const replies = [1, 2].map(() => resolver.handle(query, "udp"));
    for (const [walk, data] of [
      [1, "old"],
      [0, "new"],
    ] as const) {
      const answer = { type: "TXT" as const, name: NAME, ttl: 300, data };
      walks[walk]?.({ rcode: "NOERROR", answers: [answer], soa: null, zones: [] });
      expect(texts(decode((await replies[walk]) as Buffer))).toEqual(["old"]);
    }
  });
});
