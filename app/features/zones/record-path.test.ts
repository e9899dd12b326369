import * as readings from "@deed/dns/testing/readings.ts";
import type { Diagnosis, DiagnosisCode } from "@deed/dns/verdict/diagnosis.ts";
import type { Evidence } from "@deed/dns/verdict/observation.ts";
import { exampleOf } from "@deed/dns/words/diagnoses/diagnoses.ts";
import { describe, expect, it } from "vitest";
import { type RecordPath, recordPath, undelegatedPath, zonePath } from "./record-path.ts";

const { absentAt, foundAt, holdingAt, partialAt, rememberedAt, unreachableAt } = readings;
const QUESTION = { domain: "acme.test", label: "_service-challenge", token: "service_v1_aa" };
const WITNESSES = ["cloudflare", "quad9"];

/** One line per server or group: the step, the names, the answer and the words. */
const lines = (path: RecordPath) =>
  path.flatMap(({ title, stops }) =>
    stops.map(({ names, answer, says }) => `${title}: ${names.join(", ")} | ${answer} | ${says}`),
  );
const pathOf = (
  observe: (question: typeof QUESTION, at: number) => Evidence,
  code: DiagnosisCode | null = null,
) => recordPath(observe(QUESTION, 0), code && exampleOf(code), WITNESSES);
const seen = (change: Partial<Evidence>): Evidence => ({ ...absentAt(QUESTION, 0), ...change });
const server = (host: string, result: "timeout" | "refused") =>
  ({ host, address: "192.0.2.53", result, answer: null, latencyMs: null }) as const;

describe("the path of a record", () => {
  it("has come nowhere while no nameserver has the record", () => {
    const path = pathOf(absentAt, "record_absent");
    expect(lines(path)).toEqual([
      "Registry: .test | has | points to 2 nameservers",
      "Nameservers: ns1.example.net | lacks | no record yet",
      "Nameservers: ns2.example.net | lacks | no record yet",
      "Public resolvers: Cloudflare, Quad9 | unasked | asked after the nameservers",
    ]);
    expect(path.map(({ isReached }) => isReached)).toEqual([true, false, false]);
    const last = recordPath(absentAt(QUESTION, 0), null, WITNESSES, true);
    expect(lines(last).slice(2)).toEqual([
      "Nameservers: ns2.example.net | lacks | no record",
      "Public resolvers: Cloudflare, Quad9 | unasked | not asked in this check",
    ]);
  });

  it("shows each server by itself: with the record, without it, silent", () => {
    const [ns1, ns2] = partialAt(QUESTION, 0).servers;
    if (!ns1 || !ns2) throw new Error("two nameservers");
    const servers = [ns1, ns2, server("ns3.example.net", "timeout")];
    expect(lines(recordPath(seen({ servers }), null, [])).slice(1)).toEqual([
      "Nameservers: ns1.example.net | has | has the record",
      "Nameservers: ns2.example.net | lacks | no record yet",
      "Nameservers: ns3.example.net | silent | does not answer",
    ]);
  });

  it.each([
    ["value_formatted", "the value has extra characters"],
    ["expired_token", "the value is from an earlier claim"],
    ["foreign_token", "the value may be another account’s"],
    ["no_matching_record", "your value is not there"],
  ] as const)("names what %s has in its place", (code, says) => {
    expect(pathOf(holdingAt("other"), code)[1]?.stops[0]).toMatchObject({ answer: "wrong", says });
  });

  it("tells records of other types from none, where a CNAME was asked for", () => {
    const path = recordPath(seen({ instead: [{ type: "A", data: ["192.0.2.1"] }] }), null, []);
    expect(path[1]?.stops[0]).toMatchObject({ answer: "wrong", says: "has other records instead" });
  });

  it("tells a record on another name from none", () => {
    const apex = { kind: "apex", name: "acme.test", value: "service_v1_aa" } as const;
    const misplaced = [{ ...apex, others: 0, servers: ["ns2.example.net"] }];
    const step = recordPath(seen({ misplaced }), exampleOf("record_at_apex"), [])[1];
    const says = step?.stops.map((stop) => stop.says);
    expect(says).toEqual(["no record yet", "the record is on the domain itself"]);
  });

  it("ends at resolvers that have it, or still have an old answer", () => {
    expect(pathOf(foundAt)[2]).toMatchObject({ isReached: true });
    const [three, another] = ["Public resolvers: Three |", "gets another answer"];
    const last = (...asked: Parameters<typeof pathOf>) => lines(pathOf(...asked)).at(-1);
    expect(last(rememberedAt, "negative_cache")).toBe(`${three} old | old answer still cached`);
    const inTurn = {
      ...exampleOf("negative_cache"),
      observed: { secondsRemaining: 40, unasked: 2 },
    };
    const turns = lines(recordPath(rememberedAt(QUESTION, 0), inTurn as Diagnosis, []));
    expect(turns).toContain(`${three} lacks | no record yet`);
    expect(last(rememberedAt)).toBe(`${three} lacks | ${another}`);
    expect(last(rememberedAt, "not_published")).toBe(`${three} wrong | ${another}`);
  });

  it("shows the nameservers that resolvers ask in place of those that have the record", () => {
    const { servers, witnesses } = rememberedAt(QUESTION, 0);
    const nameservers = ["ns1.example.net", "ns.old.test"];
    const elsewhere = seen({
      servers,
      witnesses: (witnesses ?? []).map((one) => ({ ...one, nameservers })),
    });
    expect(lines(recordPath(elsewhere, exampleOf("not_published"), [])).slice(1, 4)).toEqual([
      "Nameservers: ns1.example.net | has | has the record",
      "Nameservers: ns2.example.net | has | has the record",
      "Nameservers: ns.old.test | wrong | listed only by resolvers",
    ]);
    const confirmation = { host: "ns2.example.net", address: "192.0.2.53", confirmed: false };
    const overUdp = seen({ servers, confirmation: { ...confirmation, differs: true } });
    expect(lines(recordPath(overUdp, exampleOf("not_published"), []))).toContain(
      "Nameservers: ns2.example.net | wrong | has it over UDP only",
    );
  });

  it("groups many nameservers by what they say", () => {
    const servers = Array.from({ length: 13 }, (_, index) =>
      server(`ns${index}.example.net`, index < 12 ? "timeout" : "refused"),
    );
    const step = recordPath(seen({ servers }), exampleOf("lame_delegation"), [])[1];
    expect(step?.stops.map(({ names, says }) => [names.length, says])).toEqual([
      [12, "does not answer"],
      [1, "refuses to answer"],
    ]);
  });

  it("stops at a registry that lists nothing, or does not answer", () => {
    const delegation = { type: "none", parent: "test", rcode: "NXDOMAIN" } as const;
    expect(
      lines(recordPath(seen({ delegation, servers: [] }), exampleOf("lame_delegation"), [])),
    ).toEqual([
      "Registry: .test | wrong | lists no nameservers",
      "Nameservers: None listed | unasked | none to ask",
    ]);
    expect(lines(pathOf(unreachableAt))[0]).toBe("Registry: root | silent | could not be reached");
  });

  it("ends at the registry of a name nobody has registered", () => {
    expect(lines(undelegatedPath("a.b.nobody.co.uk"))).toEqual([
      "Registry: .co.uk | wrong | lists no nameservers",
    ]);
  });

  it("calls a zone above that is no registry's the parent domain", () => {
    const zone = { zone: "shop.acme.com", nameservers: ["a.ns.example", "b.ns.example"] };
    const above = "Parent domain: acme.com | has | points to 2 nameservers";
    expect(lines(zonePath(zone, []))[0]).toBe(above);
  });
});
