import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sized } from "../../../tests/support/size.ts";
import { arbitraryHistory, arbitraryObservation } from "../testing/arbitrary-observation.ts";
import {
  AT,
  absence,
  alias,
  by,
  EXCHANGE,
  HISTORY,
  misplaced,
  NXDOMAIN,
  observation,
  on,
  SOA,
  server,
  TOKEN,
  values,
  witness,
} from "../testing/observations.ts";
import { decide } from "../testing/verdicts.ts";
import { digestOf, evidenceOf, summaryOf } from "./evidence.ts";
import type { History } from "./history.ts";
import type { Observation, TxtAnswer } from "./observation.ts";

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
    const none = observation({ delegation: UNDELEGATED, servers: [], witnesses: null });
    expect(summaryOf(evidenceOf(none))).toMatchObject({ zone: null, servers: [], witnesses: [] });
  });
});

const seen = (read: Observation, history: History = HISTORY) =>
  digestOf(decide(read, history), evidenceOf(read));

/** The same read an hour later, slower, and with other TTLs. */
function later(read: Observation): Observation {
  const slow = <T extends { answer: TxtAnswer | null }>(one: T) => ({
    ...one,
    answer: one.answer && { ...one.answer, ttl: 7 },
    latencyMs: 999,
  });
  const { at, durationMs, packets, delegation, servers, witnesses } = read;
  return {
    ...read,
    ...{ at: at + 3_600_000, durationMs: durationMs + 1, packets: packets + 1 },
    delegation: delegation.type === "delegated" ? { ...delegation, ttl: 5 } : delegation,
    servers: servers.map(slow),
    witnesses: witnesses?.map(slow) ?? null,
  };
}

const missing = absence([NXDOMAIN, NXDOMAIN]);
const moved = { ...NXDOMAIN, soa: { ...SOA, serial: SOA.serial + 1 } };
const UNDELEGATED = { type: "none", parent: "com", rcode: "NXDOMAIN" } as const;

it.each<[what: string, read: Observation, ...parts: ("answers" | "facts")[]]>([
  ["a serial", absence([NXDOMAIN, moved]), "answers"],
  ["an answer", absence([NXDOMAIN, values("a")]), "answers"],
  ["a silent server", absence([NXDOMAIN, "timeout"]), "answers", "facts"],
  ["the delegation", absence([NXDOMAIN, NXDOMAIN, NXDOMAIN]), "answers", "facts"],
  ["the verdict", absence([values("a"), values("a")]), "facts"],
  ["the zone", { ...missing, delegation: UNDELEGATED }, "facts"],
  ["what ended it early", { ...missing, limit: "deadline" }, "facts"],
])("two reads are not the same if they differ in %s", (_, read, ...parts) => {
  expect(seen(missing).answers).not.toBeNull();
  for (const part of parts) expect(seen(read)[part]).not.toBe(seen(missing)[part]);
});

it("whether two reads had the same answers is not known if one was cut short, or lost one", () => {
  const [address = ""] = missing.servers.flatMap((server) => server.address ?? []);
  const lost = { ...EXCHANGE, address, result: "timeout", rcode: null } as const;
  expect(seen({ ...missing, limit: "deadline" }).answers).toBeNull();
  expect(seen({ ...missing, exchanges: [lost] }).answers).toBeNull();
  const elsewhere = { ...missing, exchanges: [{ ...lost, address: "192.0.2.99" }] };
  expect(seen(elsewhere).answers).toBe(seen(missing).answers);
});

describe("two reads saw the same", () => {
  it("whatever they saw, if only times differ", () => {
    fc.assert(
      fc.property(arbitraryObservation, arbitraryHistory, (read, history) => {
        const decision = decide(read, history);
        expect(digestOf(decision, evidenceOf(later(read)))).toEqual(
          digestOf(decision, evidenceOf(read)),
        );
      }),
      { numRuns: sized(200, 1_000) },
    );
  });

  it("if a zone's serial has moved, or its values come in another order", () => {
    const same = { ...seen(missing), answers: expect.any(String) };
    expect(seen(absence([moved, moved]))).toEqual(same);
    const [one, other] = [values("a", "b"), values("b", "a")];
    expect(seen(absence([one, one]))).toEqual(seen(absence([other, other])));
  });

  it("not if other values are at the name, or another witness lacks the record", () => {
    const [a, b] = [values("a"), values("b")];
    expect(seen(absence([a, a])).facts).not.toBe(seen(absence([b, b])).facts);
    const first = observation(by(values(TOKEN), NXDOMAIN, NXDOMAIN));
    const last = observation(by(NXDOMAIN, NXDOMAIN, values(TOKEN)));
    expect(seen(first).verdict).toBe("absent negative_cache");
    expect(seen(first).verdict).toBe(seen(last).verdict);
    expect(seen(first).facts).not.toBe(seen(last).facts);
  });
});
