import * as readings from "@deed/dns/testing/readings.ts";
import fc from "fast-check";
import { expect, test } from "vitest";
import { DeedError } from "#app/core/errors.server.ts";
import { claimed, readDue, stay } from "#app/core/testing/service.ts";
import { Verification } from "#app/features/claims/resources.ts";
import { sized } from "../../../tests/support/size.ts";
import { archiveDomain, unarchiveDomain } from "../domains/domains.server.ts";
import { cancelClaim, openClaim, readClaim } from "./claims.server.ts";
import { createReminders } from "./expiry.server.ts";
import { readVerification, runVerification } from "./verifications.server.ts";

const { absentAt, foundAt, partialAt, rememberedAt, unreachableAt } = readings;
const SEEN = [absentAt, foundAt, partialAt, rememberedAt, unreachableAt];
const ACTS = ["run", "cancel", "open", "archive", "back"] as const;

const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ see: fc.constantFrom(...SEEN) }) },
  { weight: 6, arbitrary: fc.record({ pass: fc.integer({ min: 1, max: 100_000_000 }) }) },
  { weight: 3, arbitrary: fc.record({ act: fc.constantFrom(...ACTS) }) },
);

test("whatever happens in whatever order, the database takes it and what is shown is as contracted", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      const { service, ctx, account, claim } = await claimed();
      const ended = new Map<string, string>();
      let { id, verificationId } = claim;
      const acts = {
        run: () => runVerification(ctx, account.id, verificationId, stay),
        cancel: () => cancelClaim(ctx, account.id, id),
        open: async () => {
          ({ id, verificationId } = await openClaim(ctx, account.id, claim.domainId));
        },
        archive: () => archiveDomain(ctx, account.id, claim.domainId),
        back: () => unarchiveDomain(ctx, account.id, claim.domainId),
      };
      for (const one of steps) {
        if ("see" in one) service.see = one.see;
        else if ("pass" in one) service.now += one.pass;
        else await acts[one.act]().catch((error) => expect(error).toBeInstanceOf(DeedError));
        await readDue(service);
        await createReminders(ctx);

        const shown = Verification.parse(await readVerification(ctx, account.id, verificationId));
        const now = await readClaim(ctx, account.id, id);
        const both = [shown.diagnosis, shown.waitEstimate].filter((part) => part !== null);
        expect(both).toHaveLength(shown.status === "proved" ? 0 : 1);
        expect(now.state === "pending").toBe(shown.nextRunAt !== null);
        expect(now.state === "pending" && Date.parse(now.expiresAt) <= service.now).toBe(false);
        if (now.state === "expired") expect(now.endedAt).toBe(now.expiresAt);
        if (ended.has(id)) expect(now.state).toBe(ended.get(id));
        if (now.state !== "pending") ended.set(id, now.state);
      }
      expect(service.complaints).toEqual([]);
    }),
    { numRuns: sized(20, 60) },
  );
});
