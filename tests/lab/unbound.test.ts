import { parseAnchor } from "@deed/dns/dnssec/anchors.ts";
import { verifyChain } from "@deed/dns/dnssec/validate.ts";
import { createReader } from "@deed/dns/resolve/create-reader.ts";
import type { Reader } from "@deed/dns/resolve/reader.ts";
import { decide, progressOf } from "@deed/dns/testing/verdicts.ts";
import type { History } from "@deed/dns/verdict/history.ts";
import type { Observation } from "@deed/dns/verdict/observation.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { lacks } from "../support/lacks.ts";
import { readerSettings } from "../support/reader-settings.ts";
import { both, LABEL, NO_HISTORY, record, TOKEN, zone } from "./case.ts";
import { describeLab, type Lab, startLab } from "./lab.ts";
import { foreignDs, KNOTS, type LabZone, NS1, NS2 } from "./zones.ts";

const DAY = 86_400;
const held = (name: string, rest: Partial<LabZone>) => zone(name, both(record(TOKEN)), rest);

const ORDERLY = held("orderly.example", { presigned: { from: -DAY, until: DAY } });
const BY_KNOT = {
  ...held("knot.example", { signed: true, delegatedTo: [NS1] }),
  on: { ns1: [record(TOKEN)] },
};
/** A server that lacks these zones. */
const { address: OLD } = KNOTS.root;
const TTL_MS = 300_000;
/** The registry lists it at OLD, so that resolvers know nothing else of it. */
const MOVED = held("moved.com", {
  delegatedTo: ["old1.moved.com"],
  ownNameservers: [NS1, NS2],
  glue: [`old1.moved.com. A ${OLD}`],
  before: [OLD],
});
const LEFT = held("left.example", { ds: [foreignDs("left.example")] });

/** What real zones and resolvers show; the fault matrix has a row for each fault of a zone. */
describeLab("zones on knotd, behind unbound", () => {
  let lab: Lab;
  let reader: Reader;
  beforeAll(async () => {
    lab = await startLab([ORDERLY, BY_KNOT, MOVED, LEFT]);
    reader = createReader(readerSettings(lab.env));
  });
  afterAll(async () => {
    reader?.close();
    await lab?.stop();
  });
  /** A read of a claim; `known`: what the one before left. */
  const read = async (domain: string, known: Observation["known"] = null) =>
    reader.readChallenge(
      { domain, label: LABEL, token: TOKEN, known },
      AbortSignal.timeout(30_000),
    );

  describe("DNSSEC, signed by BIND or Knot", () => {
    const asked = (seen: Observation, ...types: string[]) =>
      seen.exchanges.flatMap(({ question: { name, type } }) => (types.includes(type) ? name : []));

    it.skipIf(lacks("delv")).each([
      ["BIND", ORDERLY],
      ["Knot", BY_KNOT],
    ])(
      "keeps a chain of a zone signed by %s that others accept too, when the record is gone",
      async (_, { name: zone }) => {
        const seen = await read(zone);
        const now = Math.floor(Date.now() / 1000);
        const name = `${LABEL}.${zone}`;
        const delv = await lab.delv(name);
        await lab.setZone(zone, []);
        expect(decide(seen, NO_HISTORY)).toEqual({ outcome: "found" });
        expect(seen.witnesses?.map(({ ad }) => ad)).toEqual([true, true, true]);
        expect(seen.validation).toEqual({ verdict: "secure" });
        expect(asked(seen, "DNSKEY").sort()).toEqual([".", "example", zone]);
        expect(asked(seen, "DS")).toEqual([]);
        expect(delv).toContain("; fully validated");
        const chain = seen.chain ?? new Uint8Array();
        console.log(`${zone}: a chain of ${chain.length} octets, ${seen.packets} packets`);
        const anchors = [parseAnchor(lab.env.DNS_TRUST_ANCHORS)].flatMap((one) => one ?? []);
        const question = { name, value: TOKEN, at: now, anchors };
        expect(await verifyChain(chain, question)).toMatchObject({ verdict: "secure" });
        expect(await verifyChain(chain, { ...question, at: now + 30 * DAY })).toMatchObject({
          reason: { type: "signatures_expired" },
        });
      },
    );
  });

  describe("a delegation that was just corrected, where unbound has the old one", () => {
    /** The reads of a claim; each gets what the last one left. */
    const reading = (domain: string) => {
      let known: Observation["known"] = null;
      let history: History = NO_HISTORY;
      return async () => {
        const seen = await read(domain, known);
        const decision = decide(seen, history);
        known = seen.known;
        history = { ...history, ...progressOf(seen, history) };
        const later = { ...seen, at: (seen.known?.until ?? 0) + 1 };
        return { seen, decision, later: decide(later, history) };
      };
    };
    const diagnosed = (code: string, awaits: string, observed: object = {}) => ({
      outcome: "absent",
      diagnosis: { code, awaits, observed },
    });
    const held = diagnosed("negative_cache", "resolvers", { held: "delegation" });
    const unreachable = diagnosed("servfail", "provider", { fault: { type: "unreachable" } });

    it("is a wait with its end, and a fault after that", async () => {
      const read = reading(MOVED.name);
      expect((await read()).decision).toMatchObject(diagnosed("lame_delegation", "provider"));
      const listed = [NS1, NS2].map((host) => `moved.com. NS ${host}.`);
      await lab.list(MOVED.name, "NS", listed);
      const { seen, decision, later } = await read();
      const wait = { reason: "negative_cache", held: "delegation", until: seen.at + TTL_MS };
      expect(decision).toMatchObject({ ...held, wait });
      expect(later).toMatchObject({ ...unreachable, wait: null });
      // The end does not move.
      expect((await read()).decision).toMatchObject({ wait });
    });

    it("is a wait for the DS records that resolvers still have, by their own word", async () => {
      const read = reading(LEFT.name);
      const stale = { type: "ds_without_keys", zone: LEFT.name };
      expect((await read()).decision).toMatchObject(
        diagnosed("servfail", "registrar", { fault: stale }),
      );
      await lab.list(LEFT.name, "DS");
      const { seen, decision, later } = await read();
      expect(decision).toMatchObject(held);
      const left = (seen.known?.until ?? 0) - seen.at;
      expect(left).toBeGreaterThan(TTL_MS - 60_000);
      expect(left).toBeLessThanOrEqual(TTL_MS);
      const unsigned = { fault: { type: "unsigned", zone: LEFT.name } };
      expect(later).toMatchObject(diagnosed("servfail", "resolvers", unsigned));
    });
  });
});
