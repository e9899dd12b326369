import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sized } from "../../../tests/support/size.ts";
import { arbitraryHistory, arbitraryObservation } from "../testing/arbitrary-observation.ts";
import {
  AT,
  alias,
  by,
  EXCHANGE,
  misplaced,
  NXDOMAIN,
  observation,
  on,
  server,
  TOKEN,
  values,
  witness,
} from "../testing/observations.ts";
import { decide } from "../testing/verdicts.ts";
import { evidenceOf, summaryOf } from "./evidence.ts";

describe("evidenceOf", () => {
  it("keeps an ordinary read unchanged", () => {
    const read = observation({ exchanges: [EXCHANGE], misplaced: [misplaced("apex")] });
    const { chain: _, ...stored } = read;
    expect(evidenceOf({ ...read, chain: Uint8Array.of(1) })).toEqual(stored);
  });

  it("keeps 20 values of 255 visible characters per answer, including the token", () => {
    const many = Array.from({ length: 40 }, (_, index) => `${index}\u202e${"x".repeat(500)}`);
    const evidence = evidenceOf(observation(on(values(...many, TOKEN))));
    const kept = evidence.servers[0]?.answer?.values ?? [];
    expect(kept).toHaveLength(20);
    expect(kept[0]).toBe(TOKEN);
    expect(kept[1]).toMatch(/^0\\u\{202e\}x+…$/);
    expect(kept.every((value) => value.length <= 255)).toBe(true);
  });

  it("escapes all untrusted text", () => {
    const bad = "\u001b\u202e";
    const evidence = evidenceOf(
      observation({
        servers: [server(bad, alias(bad))],
        unlisted: [server(bad, values(bad))],
        misplaced: [{ ...misplaced("apex", bad, bad), servers: [bad] }],
        typesAtName: [bad],
        witnesses: [{ ...witness("w", "servfail"), extendedErrors: [{ code: 6, text: bad }] }],
        exchanges: [{ ...EXCHANGE, server: bad, question: { name: bad, type: "TXT" } }],
      }),
    );
    expect(JSON.stringify(evidence)).not.toMatch(/\p{C}|\\u001b/u);
  });

  it("bounds every list", () => {
    const hosts = Array.from({ length: 1500 }, (_, index) => server(`ns${index}.test`, NXDOMAIN));
    const evidence = evidenceOf(
      observation({ servers: hosts, exchanges: Array.from({ length: 500 }, () => EXCHANGE) }),
    );
    expect(evidence.servers.length).toBeLessThanOrEqual(64);
    expect(evidence.exchanges.length).toBeLessThanOrEqual(240);
    expect(JSON.stringify(evidence).length).toBeLessThan(200_000);
  });

  it("never changes whether a read is a proof", () => {
    fc.assert(
      fc.property(arbitraryObservation, arbitraryHistory, (read, history) => {
        const evidence = { ...evidenceOf(read), chain: null };
        expect(decide(evidence, history).outcome).toBe(decide(read, history).outcome);
        expect(evidenceOf(evidence)).toEqual(evidenceOf(read));
      }),
      { numRuns: sized(200, 1_000) },
    );
  });
});

describe("summaryOf", () => {
  it("keeps the servers asked and whether they had the token", () => {
    const read = observation({
      ...on(values(TOKEN), NXDOMAIN, "timeout"),
      ...by(values(TOKEN), "servfail"),
    });
    expect(summaryOf(evidenceOf(read))).toEqual({
      ...{ version: 1, at: AT, durationMs: 500, packets: 12, zone: "acme.com" },
      servers: [
        { host: "ns1.dns.test", result: "answered", rcode: "NOERROR", hasToken: true },
        { host: "ns2.dns.test", result: "answered", rcode: "NXDOMAIN", hasToken: false },
        { host: "ns3.dns.test", result: "timeout", rcode: null, hasToken: false },
      ],
      witnesses: [
        { name: "witness1", rcode: "NOERROR", ad: true, hasToken: true },
        { name: "witness2", rcode: null, ad: false, hasToken: false },
      ],
    });
  });

  it("has no zone without a delegation, and no witnesses if none were asked", () => {
    const delegation = { type: "none", parent: "com", rcode: "NXDOMAIN" } as const;
    const none = observation({ delegation, servers: [], witnesses: null });
    expect(summaryOf(evidenceOf(none))).toMatchObject({ zone: null, servers: [], witnesses: [] });
  });
});
