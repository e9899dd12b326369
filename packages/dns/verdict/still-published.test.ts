import { describe, expect, it } from "vitest";
import { server, values } from "../testing/observations.ts";
import { absentAt, foundAt, partialAt, rememberedAt, unreachableAt } from "../testing/readings.ts";
import type { Observation } from "./observation.ts";
import { findingOf, type KnownPlace } from "./standing.ts";

const question = { domain: "acme.com", label: "_c", token: "token" };
const NS2 = "ns2.example.net";
const NONE = { type: "none", parent: "com", rcode: "NXDOMAIN" } as const;
const KNOWN: KnownPlace = { zone: "acme.com", nameservers: ["ns1.example.net", NS2] };
const ELSEWHERE = ["ns1.elsewhere.example"];

const seen = (see: typeof absentAt, changed: Partial<Observation> = {}) => ({
  ...see(question, 0),
  ...changed,
});
const delegatedTo = (nameservers: string[], zone = "acme.com"): Observation["delegation"] => ({
  type: "delegated",
  zone,
  parent: "com",
  nameservers,
  ttl: 60,
});
/** The first `silent` nameservers give no answer. */
const silent = (count: number) => {
  const servers = seen(absentAt).servers.map((one, at) =>
    at < count ? { ...one, result: "timeout" as const, answer: null } : one,
  );
  return seen(absentAt, { servers });
};

const foundElsewhere = seen(foundAt, {
  delegation: delegatedTo(ELSEWHERE),
  servers: [server("ns1.elsewhere.example", values("token"))],
  witnesses: (seen(foundAt).witnesses ?? []).map((one) => ({ ...one, nameservers: ELSEWHERE })),
});
const THREE = [...KNOWN.nameservers, "ns3.example.net"];
const elsewhere = (zone?: string) => ({ ...silent(2), delegation: delegatedTo(ELSEWHERE, zone) });

// C29.3
describe("what a read says about a record that was found before", () => {
  it.each<[string, Observation, string]>([
    ["found again", seen(foundAt), "seen"],
    ["found again at other nameservers", foundElsewhere, "seen"],
    ["on no nameserver", seen(absentAt), "absent"],
    ["on no nameserver, and half are silent", silent(1), "absent"],
    ["on none of three, two silent", { ...silent(1), delegation: delegatedTo(THREE) }, "unread"],
    ["all nameservers are silent", silent(2), "unread"],
    ["on one nameserver of two", seen(partialAt), "unread"],
    ["on the nameservers alone, not at the resolvers", seen(rememberedAt), "unread"],
    ["a limit cut the read short", seen(absentAt, { limit: "packets" }), "unread"],
    ["the registry is silent", seen(unreachableAt), "unread"],
    ["no delegation", seen(unreachableAt, { delegation: NONE }), "gone"],
    ["other nameservers", seen(absentAt, { delegation: delegatedTo(ELSEWHERE) }), "moved"],
    ["one nameserver stayed", seen(absentAt, { delegation: delegatedTo([NS2]) }), "absent"],
    ["other nameservers, all silent", elsewhere(), "moved"],
    ["a silent zone above, whose cut is not seen", elsewhere("com"), "unread"],
  ])("%s", (_, observation, finding) => {
    expect(findingOf(observation, KNOWN)).toBe(finding);
  });

  it("calls nothing moved if it does not know where the record was", () => {
    const moved = seen(absentAt, { delegation: delegatedTo(ELSEWHERE) });
    expect(findingOf(moved, { zone: null, nameservers: [] })).toBe("absent");
  });
});
