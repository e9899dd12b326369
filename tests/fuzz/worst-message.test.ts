import { MAX_MESSAGE } from "@deed/dns/protocol.ts";
import { STEPS_PER_OCTET } from "@deed/dns/wire/cursor.ts";
import { expect, it } from "vitest";
import { generator, stepsOf, worstMessage } from "./worst-message.ts";

/** The long search is `npm run fuzz -- costs`. The seeds are fixed, so a failure means the code has changed. */
it.each([1, 2, 3])(
  "finds no message that costs the decoder more than its length allows (%i)",
  (seed) => {
    for (const by of ["steps", "steps an octet"] as const) {
      const { bytes, steps } = worstMessage(by, 12, generator(seed));
      expect(bytes.length).toBeLessThanOrEqual(MAX_MESSAGE);
      expect(steps).toBe(stepsOf(bytes));
      // Shows that the search works: an honest message takes one or two.
      if (by === "steps an octet") expect(steps / bytes.length).toBeGreaterThan(1.5);
      expect(steps).toBeLessThanOrEqual(STEPS_PER_OCTET * bytes.length);
    }
  },
);
