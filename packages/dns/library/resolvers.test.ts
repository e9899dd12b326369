import { createServer } from "node:http";
import { Readable } from "node:stream";
import { afterEach, describe, expect, it } from "vitest";
import { LabResolver } from "../testing/https-resolver.ts";
import { portOf } from "../testing/lab-server.ts";
import { delegation, type LabRecord, labZone } from "../testing/lab-zone.ts";
import { address, cname, txt } from "../testing/rows.ts";
import { queryOf } from "./check-question.ts";
import { check, InvalidInput, lastSeen, verify, zone } from "./index.ts";
import { check as checkAlone } from "./resolvers.ts";

const NAME = "_github-challenge-acme.acme.test";
const VALUE = "a1b2c3d4e5";
const QUESTION = { name: NAME, value: VALUE };
const HOSTS = { "ns1.acme.test": ["192.0.2.53"] };

let open: LabResolver[] = [];
afterEach(() => {
  for (const one of open) one.close();
  open = [];
});

/** Three resolvers, each with its own version of the zone's records. */
async function resolvers(...records: LabRecord[][]) {
  const test = labZone("test", {}, delegation("acme.test", HOSTS));
  const zoneOf = (own: LabRecord[]) => labZone("acme.test", HOSTS, own);
  open = records.map((own, at) => new LabResolver(`r${at}`, [zoneOf(own), test]));
  return Promise.all(open.map((one) => one.listen()));
}
const same = (...records: LabRecord[]) => resolvers(records, records, records);
const over = (all: Awaited<ReturnType<typeof same>>) => ({
  transport: "https" as const,
  resolvers: all,
});
const askedFor = (question: string) => open.filter(({ asked }) => asked.includes(question)).length;

describe("a check by resolvers alone", () => {
  it("finds what most resolvers have, and says that its word is weaker", async () => {
    const found = await check(QUESTION, over(await same(txt(NAME, VALUE))));
    expect(found).toMatchObject({ outcome: "found", assurance: "resolvers", nameservers: [] });
    expect(found.zone).toMatchObject({ name: "acme.test" });
    expect(askedFor(`TXT ${NAME}`)).toBe(2);
  });

  it("asks no other resolver once one denies the record, and says when to ask again", async () => {
    const found = await check(QUESTION, over(await same()));
    expect(found).toMatchObject({ outcome: "absent", code: "record_absent" });
    expect(found.cause).toContain("ns1.acme.test");
    expect(askedFor(`TXT ${NAME}`)).toBe(1);
    expect((found.wait?.until ?? 0) - found.where.at).toBeGreaterThanOrEqual(300_000);
  });

  it.each([
    ["value_formatted", QUESTION, [txt(NAME, `"${VALUE}"`)]],
    ["domain_appended", QUESTION, [txt(`${NAME}.acme.test`, VALUE)]],
    ["no_matching_record", { name: "acme.test", value: "MS=ms1" }, [txt("acme.test", "v=spf1")]],
    [
      "flattened",
      { name: "www.acme.test", type: "CNAME" as const, value: "app.acme.test" },
      [address("www.acme.test", "192.0.2.7"), address("app.acme.test", "192.0.2.7")],
    ],
    ["alias_elsewhere", QUESTION, [cname(NAME, "x.acme.test")]],
    ["lame_delegation", { name: "_x.nobody.test", value: VALUE }, []],
  ])("names the mistake: %s", async (code, question, records) => {
    expect((await check(question, over(await same(...records)))).code).toBe(code);
  });

  it.each([
    ["_x.www.acme.test", "TXT", "app.host.test"],
    ["_gone.acme.test", "TXT", "gone.test"],
    ["www.acme.test", "CNAME", "app.host.test"],
  ] as const)("tells the zone of %s %s from its target's", async (name, type, value) => {
    const records = ["_x.www", "www"].map((own) => cname(`${own}.acme.test`, "app.host.test"));
    records.push(cname("_gone.acme.test", "gone.test"));
    const theirs = { "ns1.host.test": ["192.0.2.54"] };
    const cuts = [...delegation("acme.test", HOSTS), ...delegation("host.test", theirs)];
    const zones = [
      labZone("acme.test", HOSTS, records),
      labZone("host.test", theirs, [address("app.host.test", "192.0.2.7")]),
      labZone("test", {}, cuts),
    ];
    open = [new LabResolver("r0", zones)];
    const all = over(await Promise.all(open.map((one) => one.listen())));
    const found = await check({ name, type, value }, all);
    expect(found.zone).toMatchObject({ name: "acme.test" });
  });

  it("takes a wildcard's CNAME for no records of other types", async () => {
    const records = [cname("*.acme.test", "lb.acme.test"), address("lb.acme.test", "192.0.2.7")];
    const question = { name: "_x.app.acme.test", type: "CNAME" as const, value: "9d1e.proof.test" };
    const found = await check(question, over(await same(...records)));
    expect(found).toMatchObject({ code: "no_matching_record", where: { instead: [] } });
    expect(found.fix).not.toContain("AAAA");
  });

  it("waits while resolvers differ", async () => {
    const all = over(await resolvers([txt(NAME, VALUE)], [], []));
    let found = await check(QUESTION, all);
    // The order is random: the resolver with the record may not be asked.
    for (let tries = 0; found.code === "record_absent" && tries < 50; tries += 1)
      found = await check(QUESTION, all);
    expect(found).toMatchObject({ outcome: "absent", code: "negative_cache", awaits: "resolvers" });
    expect(found.cause).toContain("Some public resolvers have the record");
  });

  it("tells resolvers that cannot be reached from resolvers that fail", async () => {
    const silent = over([{ name: "nobody", url: "http://127.0.0.1:9/dns-query" }]);
    const unread = await check(QUESTION, silent);
    expect(unread).toMatchObject({ outcome: "unresolvable", code: null });
    expect(unread.fix).toBe("Let this machine reach the resolvers over HTTPS, and try again.");
    const failing = new LabResolver("r0", [], 2);
    open = [failing];
    const broken = await check(QUESTION, over([await failing.listen()]));
    expect(broken).toMatchObject({ outcome: "absent", code: "servfail" });
  });
});

it("stops reading a resolver that sends more than a message", async () => {
  let sent = 0;
  const body = function* () {
    for (const chunk = Buffer.alloc(65_536); sent < 2 ** 30; sent += chunk.length) yield chunk;
  };
  const server = createServer((_, response) => void Readable.from(body()).pipe(response));
  try {
    const url = `http://127.0.0.1:${await portOf(server)}/dns-query`;
    const endless = over([{ name: "endless", url }]);
    expect((await check(QUESTION, endless)).outcome).toBe("unresolvable");
    expect(sent).toBeLessThan(2 ** 24);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

describe("what others build on", () => {
  it("tells when a record was last seen, and since when it is missing", async () => {
    const found = await check(QUESTION, over(await same(txt(NAME, VALUE))));
    const seen = lastSeen(null, found);
    expect(seen).toEqual({ seenAt: found.where.at, missingSince: null });
    const gone = await check(QUESTION, over(await same()));
    const missing = lastSeen(seen, gone);
    expect(missing).toEqual({ seenAt: found.where.at, missingSince: gone.where.at });
    expect(lastSeen(missing, { ...gone, outcome: "unresolvable", code: null })).toEqual(missing);
    expect(lastSeen(missing, found)).toEqual(seen);
  });

  it.each([
    ["options", QUESTION, { transprot: "https" }],
    ["options", QUESTION, { transport: "https", resolvers: [] }],
    ["options", { name: NAME, value: VALUE, tpye: "CNAME" }, {}],
    ["name", { name: "a..b", value: VALUE }, {}],
    ["name", { name: "192.0.2.1", value: VALUE }, {}],
    ["type", { name: NAME, value: VALUE, type: "MX" }, {}],
    ["value", { name: NAME, value: "" }, {}],
    ["value", { name: NAME, value: "a\u200bb" }, {}],
    ["value", { name: NAME, value: "x".repeat(2_001) }, {}],
    ["value", { name: NAME, value: [] }, {}],
    ["value", { name: NAME, value: "not a host", type: "CNAME" }, {}],
  ])("refuses a bad %s before any packet: %j %j", async (field, question, options) => {
    const refused = check(question as never, options as never);
    await expect(refused).rejects.toBeInstanceOf(InvalidInput);
    await expect(refused).rejects.toMatchObject({ field });
  });

  it("counts the characters of a value as the API describes them", () => {
    expect(queryOf({ name: NAME, value: "𝒳".repeat(2_000) }).type).toBe("TXT");
    expect(() => queryOf({ name: NAME, value: "𝒳".repeat(2_001) })).toThrow(InvalidInput);
  });

  it("refuses an option where it would do nothing", async () => {
    const question = { domain: "acme.test", token: "acme-proof-4f1c9b7e" };
    const refused = [
      check(QUESTION, { resolvers: [] }),
      check(QUESTION, { transport: "HTTPS" } as never),
      check(QUESTION, { transport: "https", rootHints: [] } as never),
      checkAlone(QUESTION, { resolver: [] } as never),
      verify(question, { transport: "https" } as never),
      zone("acme.test", { resolvers: [] } as never),
    ];
    for (const one of await Promise.allSettled(refused))
      expect(one).toMatchObject({ reason: { field: "options" } });
  });
});
