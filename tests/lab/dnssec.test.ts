import { parseAnchor } from "@deed/dns/dnssec/anchors.ts";
import { verifyChain } from "@deed/dns/dnssec/validate.ts";
import type { Observation } from "@deed/dns/verdict/observation.ts";
import { expect, it } from "vitest";
import { lacks } from "../support/lacks.ts";
import { both, LABEL, record, TOKEN, useLab, zone } from "./case.ts";
import { describeLab } from "./lab.ts";
import { type LabZone, NS1 } from "./zones.ts";

const DAY = 86_400;
const ONE = { ns1: [record(TOKEN)] };
const held = (name: string, rest: Partial<LabZone>) => zone(name, both(record(TOKEN)), rest);

const ORDERLY = held("orderly.example", { presigned: { from: -DAY, until: DAY } });
const BY_KNOT = { ...held("knot.example", { signed: true, delegatedTo: [NS1] }), on: ONE };

/** What real zones and resolvers show; the fault matrix has a row for each fault of a zone. */
describeLab("DNSSEC of zones on knotd, signed by BIND, validated by unbound", () => {
  const at = useLab([ORDERLY, BY_KNOT]);
  const asked = (seen: Observation, ...types: string[]) =>
    seen.exchanges.flatMap(({ question: { name, type } }) => (types.includes(type) ? name : []));

  it.skipIf(lacks("delv")).each([
    ["BIND", ORDERLY],
    ["Knot", BY_KNOT],
  ])(
    "keeps a chain of a zone signed by %s that others accept too, when the record is gone",
    async (_, { name: zone }) => {
      const { lab, read } = at;
      const { seen, decision } = await read(zone);
      const now = Math.floor(Date.now() / 1000);
      const name = `${LABEL}.${zone}`;
      const delv = await lab.delv(name);
      await lab.setZone(zone, []);
      expect(decision).toEqual({ outcome: "found" });
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
