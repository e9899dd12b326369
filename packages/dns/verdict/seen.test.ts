import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sized } from "../../../tests/support/size.ts";
import { arbitraryHistory, arbitraryObservation } from "../testing/arbitrary-observation.ts";
import {
  absence,
  by,
  EXCHANGE,
  HISTORY,
  NXDOMAIN,
  observation,
  SOA,
  TOKEN,
  values,
} from "../testing/observations.ts";
import { decide } from "../testing/verdicts.ts";
import { evidenceOf, seenBy } from "./evidence.ts";
import type { History } from "./history.ts";
import type { Observation, TxtAnswer } from "./observation.ts";

const seen = (read: Observation, history: History = HISTORY) =>
  seenBy(decide(read, history), evidenceOf(read));

/** The same read an hour later, slower, with every time to live other than before. */
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

describe("two reads had the same answers", () => {
  const before = seen(absence([NXDOMAIN, NXDOMAIN])).answers;
  const moved = { ...NXDOMAIN, soa: { ...SOA, serial: SOA.serial + 1 } };

  it.each([
    ["a serial", absence([NXDOMAIN, moved])],
    ["an answer", absence([NXDOMAIN, values("a")])],
    ["a silent server", absence([NXDOMAIN, "timeout"])],
    ["the delegation", absence([NXDOMAIN, NXDOMAIN, NXDOMAIN])],
  ])("not if they differ in %s", (_, read) => {
    expect(before).not.toBeNull();
    expect(seen(read).answers).not.toBe(before);
  });

  it("is not known of a read that was cut short, or lost an answer", () => {
    const read = absence([NXDOMAIN, NXDOMAIN]);
    const [address = ""] = read.servers.flatMap((server) => server.address ?? []);
    const lost = { ...EXCHANGE, address, result: "timeout", rcode: null } as const;
    expect(seen({ ...read, limit: "deadline" }).answers).toBeNull();
    expect(seen({ ...read, exchanges: [lost] }).answers).toBeNull();
    expect(seen({ ...read, exchanges: [{ ...lost, address: "192.0.2.99" }] }).answers).toBe(before);
  });
});

describe("two reads saw the same", () => {
  it("whatever they saw, if only times differ", () => {
    fc.assert(
      fc.property(arbitraryObservation, arbitraryHistory, (read, history) => {
        const decision = decide(read, history);
        expect(seenBy(decision, evidenceOf(later(read)))).toEqual(
          seenBy(decision, evidenceOf(read)),
        );
      }),
      { numRuns: sized(200, 1_000) },
    );
  });

  it("if a zone's serial has moved, or its values come in another order", () => {
    const moved = { ...NXDOMAIN, soa: { ...SOA, serial: SOA.serial + 1 } };
    const before = seen(absence([NXDOMAIN, NXDOMAIN]));
    expect(seen(absence([moved, moved]))).toEqual({ ...before, answers: expect.any(String) });
    const [one, other] = [values("a", "b"), values("b", "a")];
    expect(seen(absence([one, one]))).toEqual(seen(absence([other, other])));
  });

  const missing = absence([NXDOMAIN, NXDOMAIN]);
  it.each<[what: string, read: Observation]>([
    ["the verdict", absence([values("a"), values("a")])],
    ["the answer of one server", absence([NXDOMAIN, "timeout"])],
    ["the nameservers", absence([NXDOMAIN, NXDOMAIN, NXDOMAIN])],
    ["the zone", { ...missing, delegation: { type: "none", parent: "com", rcode: "NXDOMAIN" } }],
    ["what ended it early", { ...missing, limit: "deadline" }],
  ])("not if it differs in %s", (_, read) => {
    expect(seen(read).facts).not.toBe(seen(missing).facts);
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
