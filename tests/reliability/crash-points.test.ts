import { spawn } from "node:child_process";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { claimed, type TestService } from "#app/core/testing/service.ts";
import { MAX_READS } from "#app/features/claims/active-runs.ts";
import { readClaim } from "#app/features/claims/claims.server.ts";
import { startDueReads } from "#app/features/claims/runs.server.ts";
import { FIRST_READ_AFTER_MS, LEASE_MS } from "#app/features/claims/transition.ts";
import { countIn, violations } from "../support/facts.ts";
import { newFolder } from "../support/service.ts";
import { figure, sized } from "./figures.ts";
import { serviceOn } from "./world.ts";

const POINTS = ["after the DNS read", "before the commit", "after the commit"] as const;
const ROUNDS = sized(1, 50);

let path: string;
let service: TestService;
beforeEach(() => {
  path = join(newFolder(), "deed.db");
  service = serviceOn(path);
});
afterEach(() => service.ctx.db.$client.close());

/** A separate process reads the verification and is killed at `point`. Resolves to the signal that ended it. */
const dieAt = (point: string, verificationId: string): Promise<NodeJS.Signals | null> =>
  new Promise((resolve) => {
    const script = join(import.meta.dirname, "dying-read.ts");
    const args = ["--import", "tsx", script, path, verificationId, String(service.now), point];
    spawn(process.execPath, args, { stdio: "inherit" }).once("exit", (_, signal) =>
      resolve(signal),
    );
  });

async function tick() {
  await startDueReads(service.ctx, MAX_READS);
  await service.ctx.runs.drain(60_000);
}

const timeout = 30_000 + ROUNDS * 5_000;
it.each(POINTS)("killed %s: one outcome, found by the next process", { timeout }, async (point) => {
  for (let round = 0; round < ROUNDS; round++) {
    const { account, claim } = await claimed(service, "maria@example.org", `n${round}.acme.com`);
    service.now += FIRST_READ_AFTER_MS;
    expect(await dieAt(point, claim.verificationId)).toBe("SIGKILL");

    const isWritten = point === POINTS[2];
    const state = async () => (await readClaim(service.ctx, account.id, claim.id)).state;
    expect(await state()).toBe(isWritten ? "proved" : "pending");
    const askedBefore = service.asked.length;
    await tick();
    // The dead read still holds the lease, so no other read happens.
    expect(service.asked).toHaveLength(askedBefore);
    service.now += LEASE_MS;
    await tick();
    expect(service.asked).toHaveLength(askedBefore + (isWritten ? 0 : 1));
    expect(await state()).toBe("proved");
    expect(countIn(path, "select count(*) from receipts where claim_id = ?", claim.id)).toBe(1);
  }
  figure(`crash points: killed ${point}, rounds with one outcome each`, ROUNDS);
  expect(violations(path)).toEqual([]);
  expect(countIn(path, "select count(*) from notices where kind = 'proved'")).toBe(ROUNDS);
});
