import { afterAll, beforeAll, expect, it } from "vitest";
import { createReader } from "#app/dns/resolve/create-reader.ts";
import type { Reader } from "#app/dns/resolve/reader.ts";
import { decide } from "#app/dns/verdict/decide.ts";
import { UNREAD } from "#app/dns/verdict/diagnosis.ts";
import { readerSettings } from "../../scripts/playground/reader-settings.ts";
import { openClaim, signIn } from "../support/deed.ts";
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
/** The resolvers query servers that do not know the zone, and are refused. */
const REFUSING = zone(
  "refusing.com",
  { ns3: [record(TOKEN)], ns4: [record(TOKEN)] },
  { delegatedTo: [KNOTS.ns3.host, KNOTS.ns4.host], resolversAsk: ["ns1"] },
);
const CLAIMED = zone("claimed.example", both(), { ds: [foreignDs("claimed.example")] });

const ZONES = [ORDERLY, LEFT, OTHER, EXPIRED, COMING, BARE, REFUSING, CLAIMED];

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

  it("proves a valid zone without further questions", async () => {
    const { seen, decision } = await read(ORDERLY.name);
    expect(decision).toEqual({ outcome: "found" });
    expect(seen.witnesses?.map(({ ad }) => ad)).toEqual([true, true, true]);
    expect(seen.exchanges.filter(({ question }) => /^DS|DNSKEY/.test(question.type))).toEqual([]);
  });

  it("names the key tag of a stale DS record", async () => {
    const fault = { type: "ds_without_keys", dsKeyTags: [60485], ...atRegistry(LEFT.name) };
    expect((await read(LEFT.name)).decision).toMatchObject(failing("registrar", fault));
  });

  it("names the DS record and the key if they do not match", async () => {
    const { seen, decision } = await read(OTHER.name);
    const keyTags = seen.dnssec?.[0]?.keys?.flatMap((key) => (key.isEntryPoint ? key.keyTag : []));
    expect(keyTags).toHaveLength(1);
    const fault = { type: "ds_matches_no_key", dsKeyTags: [60485], keyTags };
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
