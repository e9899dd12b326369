import { expect, it } from "vitest";
import { claimed } from "#app/core/testing/service.ts";
import { parseEnvironment } from "#app/environment/env.server.ts";
import { setLimits } from "#app/features/admin/accounts.server.ts";
import { openClaim } from "#app/features/claims/claims.server.ts";
import { rowsOfClaim } from "#app/features/claims/outcome.server.ts";
import { chargeRuns } from "#app/features/claims/verifications.server.ts";
import { addDomain } from "#app/features/domains/domains.server.ts";
import type { App } from "#app/http/app.server.ts";
import { Limiter } from "#app/http/limits.server.ts";
import { limitsOf } from "./limits.server.ts";

const RUNS = { RATE_LIMIT_RUNS_ACCOUNT: "2/3600", RATE_LIMIT_RUNS_VERIFICATION: "9/3600" };

async function customers() {
  const { ctx, account } = await claimed();
  const app = { ...ctx, limiter: new Limiter(parseEnvironment(RUNS)) } as App;
  const open = async (reference: string) => {
    const { domain } = await addDomain(ctx, account.id, "shop.example", { reference });
    const { id } = await openClaim(ctx, account.id, domain.id);
    const rows = rowsOfClaim(ctx.db).get({ id });
    return () => (rows ? chargeRuns(app, rows) : Promise.reject());
  };
  const caller = { accountId: account.id, personId: account.person.id, keyId: "key_1" };
  const key = { ...caller, scopes: [], secretHash: "" };
  const limit = (budget: string, reference?: string) =>
    limitsOf(app, key, reference).find((one) => one.budget === budget);
  return { ctx, account, open, limit };
}

it("C19.19: a customer keeps checks that another used up, if the account has more", async () => {
  const { ctx, account, open, limit } = await customers();
  const [ada, bob] = [await open("ada"), await open("bob")];
  await ada();
  await ada();
  await expect(bob()).rejects.toMatchObject({ details: { budget: "runsAccount" } });
  await setLimits(ctx, account.id, { runs: "6/3600" });
  await bob();
  await expect(ada()).rejects.toMatchObject({ details: { budget: "runsReference" } });
  await bob();
  await expect(bob()).rejects.toMatchObject({ details: { budget: "runsReference" } });
  expect(limit("runsAccount")).toMatchObject({ most: 6, used: 2, left: 4, raisedBy: "operator" });
  expect(limit("runsReference", "ada")).toMatchObject({ most: 2, left: 0, raisedBy: null });
  await setLimits(ctx, account.id, { runs: null });
  expect(limit("runsAccount")).toMatchObject({ most: 2, left: 0 });
});

it("C19.18: counts open claims and domains against the account's own limits", async () => {
  const { ctx, account, open, limit } = await customers();
  await setLimits(ctx, account.id, { openClaims: 2, domains: 3 });
  await open("ada");
  await expect(open("bob")).rejects.toMatchObject({ code: "too_many_claims" });
  await expect(open("cleo")).rejects.toMatchObject({ code: "too_many_domains" });
  expect(limit("openClaims")).toMatchObject({ most: 2, used: 2, left: 0, resetsAt: null });
  expect(limit("domains")).toMatchObject({ most: 3, used: 3, left: 0 });
  await setLimits(ctx, account.id, { openClaims: null, domains: null });
  await open("bob");
  await expect(setLimits(ctx, "acc_none", {})).rejects.toMatchObject({ code: "not_found" });
});
