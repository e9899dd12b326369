import { absentAt, foundAt } from "@deed/dns/testing/readings.ts";
import { expect, it } from "vitest";
import type { Context } from "#app/core/context.server.ts";
import { DeedError } from "#app/core/errors.server.ts";
import { accountForEmail } from "#app/core/testing/accounts.ts";
import { testService } from "#app/core/testing/service.ts";
import { MAX_READS } from "#app/features/claims/active-runs.ts";
import { cancelClaim, openClaim } from "#app/features/claims/claims.server.ts";
import { expireOverdue } from "#app/features/claims/expiry.server.ts";
import { startDueReads } from "#app/features/claims/runs.server.ts";
import { FIRST_READ_AFTER_MS, WINDOW_MS } from "#app/features/claims/transition.ts";
import { runVerification } from "#app/features/claims/verifications.server.ts";
import { addDomain, archiveDomain, deleteDomain } from "#app/features/domains/domains.server.ts";
import { openDatabase } from "#db/client.ts";
import { testFile } from "#db/testing.files.ts";
import { Chance } from "../fuzz/chance.ts";
import { columnIn, countIn, violations } from "../support/facts.ts";
import { sized } from "../support/size.ts";
import { figure } from "./figures.ts";

const ROUNDS = sized(320, 10_000);
/** Claims raced at the same time, each by its own actors. */
const AT_ONCE = 40;

type Raced = { domainId: string; claimId: string; verificationId: string; accountId: string };
type Actor = (ctx: Context, raced: Raced) => Promise<unknown>;

const forced: Actor = (ctx, { accountId, verificationId }) =>
  runVerification(ctx, accountId, verificationId, new AbortController().signal);

/** How likely each takes part, and the claim's allowed states after its success; "gone" if deleted. */
const ACTORS: Record<string, { act: Actor; likely: number; promises?: string[] }> = {
  forced: { act: forced, likely: 0.6 },
  cancel: {
    act: (ctx, { accountId, claimId }) => cancelClaim(ctx, accountId, claimId),
    ...{ likely: 0.3, promises: ["canceled", "gone"] },
  },
  archive: {
    act: (ctx, { accountId, domainId }) => archiveDomain(ctx, accountId, domainId),
    ...{ likely: 0.3, promises: ["canceled", "proved", "expired", "gone"] },
  },
  delete: {
    act: (ctx, { accountId, domainId }) => deleteDomain(ctx, accountId, domainId),
    ...{ likely: 0.15, promises: ["gone"] },
  },
};

const turns = async (count: number) => {
  for (let i = 0; i < count; i++) await new Promise((resolve) => setImmediate(resolve));
};

/** Refusals from the contract are outcomes; anything else is an error. */
async function outcomeOf(act: Promise<unknown>): Promise<unknown> {
  try {
    return await act;
  } catch (error) {
    if (error instanceof DeedError && error.code !== "internal") return error;
    throw error;
  }
}

/** Two processes' services on one file, with a shared clock. Tests ordering, not durability. */
function twoProcesses({ path, db }: ReturnType<typeof testFile>, chance: Chance) {
  const services = [testService(db), testService(openDatabase(path))] as const;
  const [first, second] = services;
  second.ctx.clock = () => first.now;
  for (const service of services) {
    service.ctx.db.$client.pragma("synchronous = OFF");
    service.see = async (question) => {
      await turns(chance.below(6));
      return (chance.holds(0.7) ? foundAt : absentAt)(question, first.now);
    };
  }
  return services;
}

const timeout = 30_000 + ROUNDS * 200;
it("all that may end a claim race for it: one outcome", { timeout }, async () => {
  const file = testFile();
  const { path } = file;
  const chance = new Chance(11);
  const services = twoProcesses(file, chance);
  const [clock] = services;
  const either = () => chance.pick(services).ctx;
  const account = await accountForEmail(clock.ctx, "maria@example.org");
  const tally: Record<string, number> = {};
  const broken: string[] = [];
  let acceptedLate = 0;

  const race = (raced: Raced) =>
    Promise.all(
      Object.entries(ACTORS)
        .filter(([, { likely }]) => chance.holds(likely))
        .map(async ([name, { act, promises }]) => {
          await turns(chance.below(10));
          return { name, promises, answer: await outcomeOf(act(either(), raced)) };
        }),
    );

  const stateOf = (claimId: string) =>
    columnIn(path, "select state from claims where id = ?", claimId)[0] ?? "gone";

  for (let round = 0; round < ROUNDS; round += AT_ONCE) {
    const raced: Raced[] = [];
    for (let i = 0; i < AT_ONCE; i++) {
      const { ctx } = clock;
      const { domain } = await addDomain(ctx, account.id, `r${round + i}.example.com`);
      const { id: claimId, verificationId } = await openClaim(ctx, account.id, domain.id);
      raced.push({ domainId: domain.id, claimId, verificationId, accountId: account.id });
    }
    const opened = clock.now;
    const hasDeadline = chance.holds(0.5);
    clock.now += hasDeadline ? WINDOW_MS - 1_000 : FIRST_READ_AFTER_MS;
    const schedule = services.map(async ({ ctx }) => {
      await turns(chance.below(4));
      await startDueReads(ctx, MAX_READS);
    });
    const deadline = async () => {
      await turns(chance.below(14));
      clock.now = opened + WINDOW_MS;
      while (await expireOverdue(either()));
    };
    const [answers] = await Promise.all([
      Promise.all(raced.map(race)),
      hasDeadline ? deadline() : null,
      ...schedule,
    ]);
    for (const { ctx } of services) await ctx.runs.drain(60_000);

    for (const [i, one] of raced.entries()) {
      const state = stateOf(one.claimId);
      tally[state] = (tally[state] ?? 0) + 1;
      for (const { name, promises, answer } of answers[i] ?? [])
        if (promises && !(answer instanceof DeedError) && !promises.includes(state))
          broken.push(`${name} kept, yet ${state}`);
      if (state === "pending") continue;
      // The end is final: although the record is in DNS, no further read is accepted.
      const again = await outcomeOf(forced(either(), one));
      if (!(again instanceof DeedError) || stateOf(one.claimId) !== state) acceptedLate++;
    }
    clock.now = opened + WINDOW_MS;
    while (await expireOverdue(clock.ctx));
  }

  broken.push(...violations(path));
  const late = countIn(
    path,
    "select count(*) from claims where state = 'proved' and ended_at >= expires_at",
  );
  figure("races: rounds", ROUNDS);
  figure("races: how they ended", JSON.stringify(tally));
  figure("races: outcomes other than one, events without fact", broken.length);
  figure("races: tokens accepted after the end", acceptedLate + late);
  expect(broken).toEqual([]);
  expect(acceptedLate + late).toBe(0);
  expect(services.flatMap(({ complaints }) => complaints)).toEqual([]);
  for (const state of ["proved", "canceled", "expired", "gone"])
    expect(tally[state]).toBeGreaterThan(0);
  services[1].ctx.db.$client.close();
});
