import fc from "fast-check";
import { expect, it } from "vitest";
import { sized } from "../../../tests/support/size.ts";
import { arbitraryHistory, arbitraryObservation } from "../testing/arbitrary-observation.ts";
import { decide } from "../testing/verdicts.ts";
import type { History } from "./history.ts";
import type { Observation } from "./observation.ts";

/** What is against a proof, written from the text of the rule and not from its code. */
function against(read: Observation, history: History): string[] {
  const { delegation, servers, validation, confirmation, token } = read;
  const witnesses = read.witnesses ?? [];
  const named = read.named ?? [];
  const names = delegation.type === "delegated" ? delegation.nameservers : [];
  const heard = servers.filter(({ result, answer }) => result === "answered" && answer);
  const returned = witnesses.filter(({ answer }) => answer?.values.includes(token));
  const validated = returned.filter(({ ad }) => ad);
  const isSecure = validation?.verdict === "secure";
  const isAnchored =
    validation?.verdict === "indeterminate" && validation.reason.type !== "no_anchor";
  const isSilent =
    names.some((name) => !heard.some(({ host }) => host === name)) ||
    named.some(({ result }) => result !== "answered") ||
    read.silentAbove.length > 0;
  const needsTwo = isSilent && !isSecure;
  const { secondReadAt } = history;
  const rules = {
    "fewer than half answered": heard.length === 0 || heard.length * 2 < names.length,
    "one that answered lacks it": [...heard, ...named].some(
      ({ result, answer }) => result === "answered" && !answer?.values.includes(token),
    ),
    "a cut of some servers": read.strays.length > 0,
    "TCP did not confirm it": confirmation?.confirmed !== true || confirmation.differs === true,
    "most resolvers lack it": returned.length * 2 <= witnesses.length && witnesses.length > 0,
    "silence, and a resolver lacks it": needsTwo && returned.length < witnesses.length,
    "silence, and no resolver": needsTwo && witnesses.length === 0,
    "silence, and one read": needsTwo && (secondReadAt === null || read.at < secondReadAt),
    "nothing validated": validation === null || validation.verdict === "bogus",
    "an anchor, and resolvers do not validate":
      isAnchored && (validated.length === 0 || validated.length * 2 <= witnesses.length),
  };
  return Object.entries(rules).flatMap(([rule, isBroken]) => (isBroken ? rule : []));
}

it("finds the token in no observation that the rule of proof refuses", () => {
  let proofs = 0;
  fc.assert(
    fc.property(arbitraryObservation, arbitraryHistory, (read, history) => {
      if (decide(read, history).outcome !== "found") return;
      proofs += 1;
      expect(against(read, history)).toEqual([]);
    }),
    { numRuns: sized(1_500, 8_000) },
  );
  expect(proofs).toBeGreaterThan(100);
});
