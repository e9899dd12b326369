import { expect } from "vitest";
import { both, type Case, ENDED, LABEL, record, TOKEN, zone } from "./case.ts";

/** Zones that are correct but whose changes have not propagated yet. */
export const WAITS: Case[] = [
  {
    title: "one nameserver of two without the record",
    zone: zone("partial.com", { ns1: [record(TOKEN)], ns2: [] }, { refresh: 600 }),
    decision: { outcome: "absent", diagnosis: null, wait: { reason: "nameserver_sync" } },
    observation: { witnesses: null, confirmation: null },
  },
  {
    title: "resolvers that cache the record's absence",
    zone: zone("remembered.com", both(), { minimum: 90 }),
    before: async (lab) => {
      await lab.prime(`${LABEL}.remembered.com`);
      await lab.setZone("ns1", "remembered.com", [record(TOKEN)]);
      await lab.setZone("ns2", "remembered.com", [record(TOKEN)]);
    },
    decision: {
      outcome: "absent",
      diagnosis: { code: "negative_cache", awaits: "resolvers", observed: { held: "nothing" } },
      wait: { reason: "negative_cache" },
    },
  },
  {
    title: "resolvers that hold the token of an earlier claim",
    zone: zone("held.com", both(record(ENDED)), { minimum: 30 }),
    history: { endedTokens: [{ token: ENDED, endedAt: 0 }] },
    before: async (lab) => {
      await lab.prime(`${LABEL}.held.com`);
      await lab.setZone("ns1", "held.com", [record(TOKEN)]);
      await lab.setZone("ns2", "held.com", [record(TOKEN)]);
    },
    decision: {
      outcome: "absent",
      diagnosis: {
        code: "negative_cache",
        // The remaining TTL of the record the resolvers hold, not the zone's negative TTL of 30 s.
        observed: { held: "earlier_token", secondsRemaining: expect.closeTo(298, -1) },
      },
      wait: { reason: "negative_cache" },
    },
  },
];
