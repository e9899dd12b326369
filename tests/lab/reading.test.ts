import { expect, it } from "vitest";
import { both, LABEL, record, TOKEN, useLab, zone } from "./case.ts";
import { describeLab } from "./lab.ts";
import { type LabZone, NS1, NS2, TLD } from "./zones.ts";

/** A read may take ten seconds, plus half a second to finish. */
const LONGEST_READ = 10_500;
const MOST_PACKETS = 60;

const diagnosis = (code: string, observed: object, awaits = "claimant") => ({
  outcome: "absent",
  diagnosis: { code, awaits, observed },
  wait: null,
});
const absent = (answer: object, nearMiss: object | null = null) =>
  diagnosis("record_absent", { answer, nearMiss });
const alias = (observed: object) => diagnosis("cname_conflict", observed);
const lame = (...hosts: [host: string, result: string][]) => {
  const nameservers = hosts.map(([host, result]) => ({ host, result }));
  return diagnosis("lame_delegation", { nameservers }, "provider");
};
const held = (name: string, ...records: string[]) => zone(name, both(...records));

/** Zones in which knotd's own way of answering shows; the fault matrix of packages/dns has what any server shows. */
const CASES: [title: string, zones: LabZone | LabZone[], decision: object, domain?: string][] = [
  ["nothing at all: NXDOMAIN", held("nothing.com"), absent({ type: "nxdomain" })],
  [
    "another type at the name: NODATA",
    held("nodata.com", `${LABEL} A 192.0.2.1`),
    absent({ type: "nodata", types: ["A"] }),
  ],
  [
    "an empty non-terminal",
    held("ent.com", record("x", `below.${LABEL}`)),
    absent({ type: "nodata", types: [] }),
  ],
  [
    "NXDOMAIN of a signed zone",
    zone("denied.example", both(), { signed: true }),
    absent({ type: "nxdomain" }),
  ],
  [
    "the token in an SPF record",
    held("as-spf.com", `${LABEL} SPF "${TOKEN}"`),
    absent({ types: ["SPF"] }, { kind: "spf_type", name: `${LABEL}.as-spf.com` }),
  ],
  [
    "the record in the parent zone, hidden below the cut",
    [
      held("hidden.com", `shop NS ${TLD}.`, record(TOKEN, `${LABEL}.shop`)),
      zone("shop.hidden.com", { tld: [] }, { delegatedTo: [TLD] }),
    ],
    diagnosis("record_absent", {
      delegated: { zone: "shop.hidden.com", parent: "hidden.com", nameservers: [TLD] },
    }),
    "shop.hidden.com",
  ],
  [
    "a CNAME at the name, though its target has the token",
    held("alias.com", `${LABEL} CNAME elsewhere.alias.com.`, record(TOKEN, "elsewhere")),
    alias({ target: "elsewhere.alias.com" }),
  ],
  [
    "a wildcard CNAME",
    held("wild-alias.com", "* CNAME parked.example."),
    alias({
      target: "parked.example",
      record: { type: "CNAME", name: "*.wild-alias.com" },
    }),
  ],
  [
    "a CNAME that points at itself",
    held("loop.com", `${LABEL} CNAME ${LABEL}.loop.com.`),
    alias({ target: `${LABEL}.loop.com` }),
  ],
  [
    "a DNAME above the name",
    held("dname.com", "shop DNAME moved.dname.com.", record(TOKEN, `${LABEL}.moved`)),
    alias({ record: { type: "DNAME", name: "shop.dname.com" } }),
    "shop.dname.com",
  ],
  [
    "nameservers that do not know the zone",
    zone("refused.com", {}),
    lame([NS1, "refused"], [NS2, "refused"]),
  ],
  [
    "a nameserver that refers back to itself",
    zone("circular.com", {}, { delegatedTo: [TLD] }),
    lame([TLD, "not_authoritative"]),
  ],
];
const FORGETFUL = zone("forgetful.com", both(), { minimum: 3 });

describeLab("reading zones on knotd through unbound", () => {
  const at = useLab([...CASES.flatMap(([, zones]) => zones), FORGETFUL]);

  it.for(CASES)("%s", async ([, zones, expected, domain]) => {
    const { seen, decision } = await at.read(domain ?? [zones].flat()[0]?.name ?? "");
    expect(decision).toMatchObject(expected);
    expect(seen.durationMs).toBeLessThan(LONGEST_READ);
    expect(seen.packets).toBeLessThanOrEqual(MOST_PACKETS);
    expect(seen.exchanges.filter(({ address }) => !address.startsWith("127."))).toEqual([]);
  });

  it("reports how long resolvers cache the old answer, and finds the record afterwards", async () => {
    await at.lab.prime(`${LABEL}.${FORGETFUL.name}`);
    await at.lab.setZone(FORGETFUL.name, [record(TOKEN)]);
    const { decision } = await at.read(FORGETFUL.name);
    const remaining =
      decision.outcome === "absent" && decision.diagnosis?.code === "negative_cache"
        ? decision.diagnosis.observed.secondsRemaining
        : null;
    expect([0, 1, 2, 3]).toContain(remaining);
    // unbound counts time in whole seconds, so it may be one second late.
    await expect
      .poll(async () => (await at.read(FORGETFUL.name)).decision, {
        timeout: 30_000,
        interval: 250,
      })
      .toEqual({ outcome: "found" });
  });
});
