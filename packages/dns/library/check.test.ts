import { describe, expect, it, vi } from "vitest";
import { resolver, resolving } from "../testing/faults.ts";
import type { LabBehaviour } from "../testing/lab-server.ts";
import { labZone } from "../testing/lab-zone.ts";
import { oneWorld } from "../testing/one-world.ts";
import { address, cname, nameservers, three, txt } from "../testing/rows.ts";
import { netOf, type World, type WorldSetup } from "../testing/world.ts";
import { ZoneSigner } from "../testing/zone-signer.ts";
import { checkRecord } from "./check.ts";
import { queryOf } from "./check-question.ts";
import { check } from "./index.ts";

const NET = netOf(3_880);
const VALUE = "google-site-verification=lVXLFmpqKPmkAo0hBsKd1nVzOtxEQ-rNgFb7yqJJtSM";

/** Resolvers that set the AD flag. */
const validating: LabBehaviour = async (query, server) =>
  (await resolving(query, server)).map((message) => {
    message.writeUInt8(message.readUInt8(3) | 0x20, 3);
    return message;
  });

const openWorld = oneWorld(NET);
const open = async (setup?: WorldSetup) => (await openWorld(setup)).settings;

describe("check", () => {
  it("accepts one of several values at its name alone", async () => {
    const question = { name: "_acme.acme.test", value: [VALUE, "the-old-one-is-fine"] };
    const there = await open({ records: [txt(question.name, "the-old-one-is-fine")] });
    const found = await check(question, there);
    expect(found).toMatchObject({ outcome: "found", where: { accepted: "the-old-one-is-fine" } });
    const elsewhere = await open({ records: [txt("acme.test", "the-old-one-is-fine")] });
    const misplaced = await check(question, elsewhere);
    expect(misplaced.code).toBe("record_at_apex");
    expect(misplaced.where.accepted).toBeUndefined();
  });

  it("escapes what strangers write, wherever it says that", async () => {
    const bidi = "\u202e\u0007";
    const records = [txt("acme.test", `"${VALUE}${bidi}"`), txt("acme.test", bidi)];
    const altered = await check({ name: "acme.test", value: VALUE }, await open({ records }));
    expect(altered.nearest?.how).toBe("altered");
    const odd = [cname("a.acme.test", `${bidi}.acme.test`), txt("b.acme.test", `${bidi}=1`)];
    const settings = await open({ records: odd });
    const alias = await check({ name: "a.acme.test", value: VALUE }, settings);
    expect(alias.code).toBe("alias_elsewhere");
    const other = await check(
      { name: "b.acme.test", type: "CNAME", value: "c.acme.test" },
      settings,
    );
    expect(other.code).toBe("wrong_type");
    const all = JSON.stringify([altered, alias, other]);
    for (const raw of [bidi.slice(0, 1), "\\u0007"]) expect(all).not.toContain(raw);
  });

  it("finds a value and a CNAME in a signed zone", async () => {
    const signer = new ZoneSigner("acme.test");
    const tld = { records: [{ name: "acme.test", type: "DS" as const, data: signer.ds }] };
    const records = [txt("acme.test", VALUE), cname("www.acme.test", "app.acme.test")];
    const witnesses = three({ behaviour: validating });
    const settings = await open({ signed: true, signer, tld, records, witnesses });
    const value = await check({ name: "acme.test", value: VALUE }, settings);
    expect(value).toMatchObject({ outcome: "found", where: { validation: { verdict: "secure" } } });
    const question = { name: "www.acme.test", type: "CNAME" as const, value: "app.acme.test" };
    const alias = await check(question, settings);
    expect(alias).toMatchObject({ outcome: "found", assurance: "nameservers" });
    // Only TXT signatures are judged: for a CNAME the resolvers' validation counts.
    const unsaid = await open({ signed: true, signer, tld, records });
    const unvalidated = await check(question, unsaid);
    expect(unvalidated.outcome).toBe("unresolvable");
    expect(unvalidated.cause).toContain("too few resolvers");
  });

  it("finds a value behind a CNAME only if every nameserver has the CNAME", async () => {
    const [at, there] = [cname("_x.acme.test", "y.acme.test"), txt("y.acme.test", VALUE)];
    for (const other of [
      [],
      [txt("_x.acme.test", "something-else")],
      [cname("_x.acme.test", "z.acme.test")],
    ]) {
      const zones = [labZone("acme.test", nameservers(NET, 2), [...other, there])];
      const settings = await open({ records: [at, there], servers: { 4: { zones } } });
      const found = await check({ name: "_x.acme.test", value: VALUE }, settings);
      expect(found).toMatchObject({ outcome: "absent", wait: { reason: "nameserver_sync" } });
      expect(found).toMatchObject({ nearest: null, others: 0 });
      expect(found.cause).toMatch(
        /^The value is behind the CNAME at _x\.acme\.test\. At that .*ns2/,
      );
    }
  });

  it("finds a value behind a CNAME only if resolvers see the CNAME too", async () => {
    const behaviour = resolver(({ answers }, { name }) => ({
      answers: name === "_x.acme.test" ? [] : answers,
    }));
    const records = [cname("_x.acme.test", "y.acme.test"), txt("y.acme.test", VALUE)];
    const settings = await open({ records, witnesses: three({ behaviour }) });
    const found = await check({ name: "_x.acme.test", value: VALUE }, settings);
    expect(found).toMatchObject({ outcome: "absent", wait: { reason: "negative_cache" } });
  });

  it("does not say what is where a CNAME leads that time did not suffice to follow", async () => {
    const aliases = [cname("a.acme.test", "b.acme.test"), cname("b.acme.test", "c.acme.test")];
    const { reader } = await openWorld({ records: [...aliases, txt("c.acme.test", VALUE)] });
    const readChallenge: World["reader"]["readChallenge"] = async (...question) => {
      const seen = await reader.readChallenge(...question);
      const now = performance.now();
      vi.spyOn(performance, "now").mockReturnValue(now + 21_000);
      return seen;
    };
    const context = { reader: { readChallenge }, signal: new AbortController().signal };
    const late = await checkRecord(queryOf({ name: "a.acme.test", value: VALUE }), context);
    expect(late).toMatchObject({ outcome: "unresolvable", code: null, headline: null });
    expect(late.cause).toBe("The check did not finish within its limits.");
  });

  it.each([
    ["record_absent", []],
    ["domain_appended", [cname("acme.test.acme.test", "app.acme.test")]],
    ["wrong_type", [txt("acme.test", "v=spf1 -all")]],
    ["proxied", [address("acme.test", "192.0.2.200")]],
    ["flattened", [address("acme.test", "192.0.2.7")]],
  ])("tells nobody to add a CNAME at the name of a zone: %s", async (code, own) => {
    const settings = await open({ records: [address("app.acme.test", "192.0.2.7"), ...own] });
    const question = { name: "acme.test", type: "CNAME" as const, value: "app.acme.test" };
    const found = await check(question, settings);
    expect(found).toMatchObject({ code, pastes: [] });
    expect(found.cause).toMatch(/acme\.test is the name of a zone, which can have no CNAME\.$/);
    expect(found.fix).toMatch(/^Ask whoever wants the CNAME whether A or AAAA records will do/);
  });

  it("compares with that of several values which the nearest one is like", async () => {
    const records = [txt("acme.test", VALUE.slice(0, -3)), txt("acme.test", "v=spf1 -all")];
    const asked = { name: "acme.test", value: ["MS=ms12345678", VALUE] };
    const found = await check(asked, await open({ records }));
    expect(found).toMatchObject({ code: "value_formatted", value: "MS=ms12345678" });
    expect(found.nearest?.diff).toEqual([
      { as: "same", text: VALUE.slice(0, -3) },
      { as: "missing", text: VALUE.slice(-3) },
    ]);
    expect(found.cause).toMatch(/it lacks .tSM. at the end/);
    expect(found.fix).toContain(`: ${VALUE}`);
    expect(found.pastes.at(-1)?.value).toBe(VALUE);
  });

  it("neither replaces an SPF record nor adds a second one, either of which harms mail", async () => {
    const value = "v=spf1 include:_spf.host.test ~all";
    const records = [..."abcdefghijkl"].map((one) => txt("acme.test", `MS=ms${one}`));
    records.push(txt("acme.test", "v=spf1 mx -all"));
    const found = await check({ name: "acme.test", value }, await open({ records }));
    expect(found).toMatchObject({ code: "no_matching_record", pastes: [] });
    expect(found.cause).toMatch(/already has another SPF record, and can have only one/);
    expect(found.fix).toBe(
      `In your DNS panel, add what is missing to the SPF record at acme.test, so that it includes all of this: ${value}`,
    );
  });
});
