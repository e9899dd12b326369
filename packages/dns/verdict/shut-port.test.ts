import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sized } from "../../../tests/support/size.ts";
import { arbitraryHistory, arbitraryObservation } from "../testing/arbitrary-observation.ts";
import {
  DOMAIN,
  EXCHANGE,
  HISTORY,
  NXDOMAIN,
  observation,
  TOKEN,
  witnesses,
} from "../testing/observations.ts";
import { decide } from "../testing/verdicts.ts";
import type { Exchange, Observation } from "./observation.ts";
import { earliestAsk, isPortShut } from "./shut-port.ts";

const exchange = (transport: Exchange["transport"], result: Exchange["result"]): Exchange => ({
  ...EXCHANGE,
  transport,
  result,
});
const LOST = [exchange("udp", "timeout"), exchange("tcp", "tcp_refused")];
const SECURE = { verdict: "secure" } as const;
const UNREACHABLE = { type: "unreachable", zone: "." } as const;
/** Port 53 is shut, and a resolver has signatures down to the record. */
const shut = (change: Partial<Observation> = {}) =>
  observation({
    delegation: UNREACHABLE,
    servers: [],
    confirmation: null,
    exchanges: [...LOST, exchange("https", "answered")],
    shut: { held: [] },
    witnesses: witnesses({ ...NXDOMAIN, rcode: "NOERROR", values: [TOKEN] }).slice(0, 1),
    validation: SECURE,
    ...change,
  });
const LACKING = { witnesses: witnesses(NXDOMAIN).slice(0, 1) };
const unsigned = { type: "unsigned", zone: DOMAIN, parent: "com" } as const;
const missing = { type: "not_read", zone: "com", name: "", records: "TXT" } as const;

describe("C8.12, C8.13: where port 53 is shut", () => {
  it.each<[string, Partial<Observation>]>([
    ["a server answers over UDP", { exchanges: [...LOST, exchange("udp", "refused")] }],
    ["a server answers over TCP", { exchanges: [...LOST, exchange("tcp", "answered")] }],
    ["nobody was asked over TCP", { exchanges: LOST.slice(0, 1) }],
    ["a registry shows a delegation", { delegation: observation().delegation }],
    ["the zone is unsigned", { validation: { verdict: "insecure", reason: unsigned } }],
    [
      "the zone is unsigned and lacks it",
      { ...LACKING, validation: { verdict: "insecure", reason: unsigned } },
    ],
    ["nothing was validated", { validation: null }],
    ["it shows unsigned", { validation: { verdict: "indeterminate", reason: missing } }],
  ])("is found by signatures alone, and cannot be told if %s", (_, change) => {
    expect(decide(shut(), HISTORY)).toEqual({ outcome: "found" });
    expect(decide(shut(change), HISTORY)).toEqual({ outcome: "unresolvable" });
  });

  it("is read again when the first resolver has forgotten", () => {
    const held = [7, 5, 9].map((until) => ({ resolver: `r${until}`, until }));
    expect(earliestAsk({ shut: { held } })).toBe(5);
    expect(earliestAsk({ shut: { held: [] } })).toBeNull();
    expect(earliestAsk(observation())).toBeNull();
  });

  it("proves nothing without signatures, and nothing once anybody answers there", () => {
    const transport = fc.constantFrom<Exchange["transport"][]>("udp", "tcp", "tcp", "https");
    const result = fc.constantFrom<Exchange["result"][]>("timeout", "tcp_refused", "answered");
    const exchanges = fc.array(fc.tuple(transport, result).map((one) => exchange(...one)));
    const near = fc.subarray([{ delegation: UNREACHABLE }, { validation: SECURE }]);
    let proofs = 0;
    fc.assert(
      fc.property(
        arbitraryObservation,
        arbitraryHistory,
        exchanges,
        near,
        (seen, history, list, change) => {
          const shutRead = { exchanges: list, shut: { held: [] } };
          const read: Observation = Object.assign({}, seen, shutRead, ...change);
          if (decide(read, history).outcome !== "found") return;
          proofs += 1;
          const isPlain = ({ transport }: Exchange) => transport !== "https";
          expect(list.filter((one) => isPlain(one) && one.result === "answered")).toEqual([]);
          expect(isPortShut(read)).toBe(true);
          expect(read).toMatchObject({
            validation: { verdict: "secure" },
            delegation: { type: "unreachable" },
          });
        },
      ),
      { numRuns: sized(1_500, 8_000) },
    );
    expect(proofs).toBeGreaterThan(20);
  });
});
