import { parseAnchor } from "@deed/dns/dnssec/anchors.ts";
import { verifyChain } from "@deed/dns/dnssec/validate.ts";
import { createReader } from "@deed/dns/resolve/create-reader.ts";
import type { Reader } from "@deed/dns/resolve/reader.ts";
import { checkByPython } from "@deed/dns/testing/dnssec/check-by-python.ts";
import { decide } from "@deed/dns/verdict/decide.ts";
import { UNREAD } from "@deed/dns/verdict/history.ts";
import type { Observation } from "@deed/dns/verdict/observation.ts";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openClaim, signIn } from "../support/deed.ts";
import { lacks } from "../support/lacks.ts";
import { readerSettings } from "../support/reader-settings.ts";
import { startService } from "../support/service.ts";
import { both, LABEL, record, TOKEN, zone } from "./case.ts";
import { describeLab, type Lab, startLab } from "./lab.ts";
import { KNOTS, type LabZone } from "./zones.ts";

const DAY = 86_400;
const NOW = { from: -DAY, until: DAY };
const HISTORY = {
  ...UNREAD,
  endedTokens: [],
  domainOf: () => null,
  tokenPrefix: "service_v1_",
};
/** A DS record for a key that no zone here has. */
const foreignDs = (name: string) => `${name}. 300 DS 60485 13 2 ${"0123456789ABCDEF".repeat(4)}`;
const held = (name: string, rest: Partial<LabZone>) => zone(name, both(record(TOKEN)), rest);

const ORDERLY = held("orderly.example", { presigned: NOW });
const LEFT = held("left.example", { ds: [foreignDs("left.example")] });
const OTHER = held("other.example", { presigned: NOW, ds: [foreignDs("other.example")] });
const EXPIRED = held("expired.example", { presigned: { from: -20 * DAY, until: -2 * DAY } });
const COMING = held("coming.example", { presigned: { from: 2 * DAY, until: 20 * DAY } });
const BARE = held("bare.example", {
  presigned: { ...NOW, without: new RegExp(`^${LABEL}\\..*RRSIG\\s+TXT`) },
});
/** Its nameservers are right in all but the signature of the record itself. */
const SPOILED = held("spoiled.example", {
  presigned: { ...NOW, spoiled: new RegExp(`^${LABEL}\\..*RRSIG\\s+TXT`) },
});
const BY_KNOT = held("knot.example", { signed: "good" });
const UNSIGNED = held("plain.example", {});
const BELOW_UNSIGNED = held("plain.com", {});
/** The resolvers query servers that do not know the zone, and are refused. */
const REFUSING = zone(
  "refusing.com",
  { ns3: [record(TOKEN)], ns4: [record(TOKEN)] },
  { delegatedTo: [KNOTS.ns3.host, KNOTS.ns4.host], resolversAsk: ["ns1"] },
);
const CLAIMED = zone("claimed.example", both(), { ds: [foreignDs("claimed.example")] });

const ZONES = [
  ...[ORDERLY, LEFT, OTHER, EXPIRED, COMING, BARE, SPOILED, REFUSING, CLAIMED],
  ...[BY_KNOT, UNSIGNED, BELOW_UNSIGNED],
];

describeLab("DNSSEC of zones on knotd, signed by BIND, validated by unbound", () => {
  let lab: Lab;
  let reader: Reader;
  beforeAll(async () => {
    lab = await startLab(ZONES);
    reader = createReader(readerSettings(lab.env));
  });
  afterAll(async () => {
    reader?.close();
    await lab?.stop();
  });

  const read = async (domain: string) => {
    const question = { domain, label: LABEL, token: TOKEN };
    const seen = await reader.readChallenge(question, AbortSignal.timeout(30_000));
    return { seen, decision: decide(seen, HISTORY) };
  };
  const failing = (awaits: string, fault: object) => ({
    outcome: "absent",
    diagnosis: { code: "servfail", awaits, observed: { fault } },
  });
  const atRegistry = (name: string) => ({ zone: name, secondsRemembered: 300 });

  const asked = (seen: Observation, ...types: string[]) =>
    seen.exchanges.flatMap(({ question: { name, type } }) => (types.includes(type) ? name : []));

  it.skipIf(lacks("delv")).each([
    ["BIND", ORDERLY],
    ["Knot", BY_KNOT],
  ])(
    "keeps a chain of a zone signed by %s that others accept too, when the record is gone",
    async (_, { name: zone }) => {
      const { seen, decision } = await read(zone);
      const at = Math.floor(Date.now() / 1000);
      const name = `${LABEL}.${zone}`;
      const delv = await lab.delv(name);
      for (const server of ["ns1", "ns2"] as const) await lab.setZone(server, zone, []);
      expect(decision).toEqual({ outcome: "found" });
      expect(seen.witnesses?.map(({ ad }) => ad)).toEqual([true, true, true]);
      expect(seen.validation).toEqual({ verdict: "secure" });
      expect(asked(seen, "DNSKEY").sort()).toEqual([".", "example", zone]);
      expect(asked(seen, "DS")).toEqual([]);
      expect(delv).toContain("; fully validated");
      const chain = seen.chain ?? new Uint8Array();
      console.log(`${zone}: a chain of ${chain.length} octets, ${seen.packets} packets`);
      const anchors = [parseAnchor(lab.env.DNS_TRUST_ANCHORS)].flatMap((one) => one ?? []);
      const question = { name, value: TOKEN, at, anchors };
      expect(await verifyChain(chain, question)).toMatchObject({ verdict: "secure" });
      expect(await verifyChain(chain, { ...question, at: at + 30 * DAY })).toMatchObject({
        reason: { type: "signatures_expired" },
      });
      const lines = [lab.env.DNS_TRUST_ANCHORS];
      expect(["secure", null]).toContain(
        checkByPython({ name, value: TOKEN, at, anchors: lines, chain }),
      );
    },
  );

  it.each([
    [UNSIGNED, { zone: UNSIGNED.name, parent: "example" }],
    [BELOW_UNSIGNED, { zone: "com", parent: "." }],
  ])("shows that $name is not signed, by two more packets", async ({ name }, where) => {
    const { seen, decision } = await read(name);
    expect(decision).toEqual({ outcome: "found" });
    expect(seen.validation).toEqual({
      verdict: "insecure",
      reason: { type: "unsigned", ...where },
    });
    expect(seen.chain).toBeNull();
    expect(asked(seen, "DNSKEY", "DS")).toHaveLength(2);
  });

  it("names the key tag of a stale DS record", async () => {
    const fault = { type: "ds_without_keys", dsKeyTags: [60485], ...atRegistry(LEFT.name) };
    expect((await read(LEFT.name)).decision).toMatchObject(failing("registrar", fault));
  });

  it("names the DS record and the key if they do not match", async () => {
    const { decision } = await read(OTHER.name);
    const fault = { type: "ds_matches_no_key", dsKeyTags: [60485], keyTags: [expect.any(Number)] };
    expect(decision).toMatchObject(failing("registrar", { ...fault, ...atRegistry(OTHER.name) }));
  });

  it("says when signatures expired", async () => {
    const { decision } = await read(EXPIRED.name);
    const fault = { type: "signatures_expired", zone: EXPIRED.name };
    expect(decision).toMatchObject(failing("provider", fault));
    const at = /"expiredAt":"([^"]+)"/.exec(JSON.stringify(decision))?.[1] ?? "";
    expect(Math.abs(Date.now() - 2 * DAY * 1000 - Date.parse(at))).toBeLessThan(120_000);
  });

  it("says when signatures become valid", async () => {
    const fault = { type: "signatures_not_yet_valid", zone: COMING.name };
    expect((await read(COMING.name)).decision).toMatchObject(failing("provider", fault));
  });

  it("says that signatures are missing", async () => {
    const fault = { type: "signatures_missing", zone: BARE.name };
    expect((await read(BARE.name)).decision).toMatchObject(failing("provider", fault));
  });

  it("says that a signature is wrong, which no resolver says", async () => {
    const { seen, decision } = await read(SPOILED.name);
    const fault = { type: "signatures_invalid", zone: SPOILED.name };
    expect(decision).toMatchObject(failing("provider", fault));
    // 6 is "DNSSEC Bogus".
    const codes = seen.witnesses?.flatMap(({ extendedErrors }) => extendedErrors);
    expect(codes?.map(({ code }) => code)).toEqual([6, 6, 6]);
  });

  it("reports that resolvers are refused, with and without validation", async () => {
    const { seen, decision } = await read(REFUSING.name);
    expect(decision).toMatchObject(failing("provider", { type: "unreachable" }));
    expect(seen.witnesses?.map(({ uncheckedRcode }) => uncheckedRcode)).toEqual(
      Array(3).fill("SERVFAIL"),
    );
  });

  it("says that resolvers will drop a removed DS record from their caches", async () => {
    await read(LEFT.name);
    await lab.dropDs(LEFT.name);
    const fault = { type: "unsigned", zone: LEFT.name };
    expect((await read(LEFT.name)).decision).toMatchObject(failing("resolvers", fault));
  });

  it("tells the claimant which DS record to remove", async () => {
    const service = await startService({ env: { ...lab.env, FIRST_READ_SECONDS: "5" } });
    try {
      const client = await signIn(service, "dnssec@holder.example");
      const claim = await openClaim(client, CLAIMED.name);
      for (const server of ["ns1", "ns2"] as const)
        await lab.setZone(server, CLAIMED.name, [record(claim.token)]);
      const path = `/api/verifications/${claim.verificationId}`;
      await client.post(`${path}/runs`);
      expect((await client.get(path)).body).toMatchObject({
        diagnosis: {
          code: "servfail",
          cause: expect.stringContaining("the DS record (key tag 60485) for claimed.example"),
          fix: "At the registrar of claimed.example, remove the DS record (key tag 60485); resolvers can take up to 5 minutes to notice.",
          observed: { fault: { type: "ds_without_keys", dsKeyTags: [60485] } },
        },
      });
    } finally {
      await service.stop();
    }
  });
});
