import { describe, expect, it } from "vitest";
import { messagesOf, questionOf, VECTORS, type Vector } from "../testing/dnssec/vectors.ts";
import { validate, verifyChain } from "./validate.ts";
import type { Validation } from "./verdict.ts";

const told = (validation: Validation) =>
  validation.verdict === "secure" ? "secure" : `${validation.verdict} ${validation.reason.type}`;

/** delv's and Unbound's verdicts in our words. Debian's Unbound is built without Ed448. */
function yardsticksOf({ zone, delv, unbound }: Vector): string[] {
  const words = [delv, ...(zone.includes("-16-") ? [] : [unbound])];
  return words.map((word) => (word === "secure" || word === "insecure" ? word : "bogus"));
}

describe("zones signed by BIND and Knot", () => {
  for (const one of VECTORS.cases)
    it(`${one.zone}: ${one.expected}`, async () => {
      const validation = await validate(messagesOf(one), questionOf(one));
      expect(told(validation)).toBe(one.expected);
      if (!one.differs) expect(new Set(yardsticksOf(one))).toEqual(new Set([validation.verdict]));
      const { verdict, chain } = validation;
      if (verdict === "bogus") return;
      const again = await verifyChain(chain, questionOf(one));
      expect(again).toEqual({ ...validation, cost: again.cost });
    });
});
