import { AddressFull } from "#app/dns/resolve/reader.ts";
import { decide, progressOf } from "#app/dns/verdict/decide.ts";
import { evidenceOf, seenBy } from "#app/dns/verdict/evidence.ts";
import type { Observation } from "#app/dns/verdict/observation.ts";
import { isTimeKnown } from "../clock/timekeeper.server.ts";
import type { Context } from "../context.server.ts";
import { wantRegistry } from "../registry/asking.server.ts";
import { type ClaimRows, rowsOfVerification } from "./claim-lifecycle.server.ts";
import { formerNameservers, historyOf } from "./history.server.ts";
import { observe } from "./observe.server.ts";
import { type LeasedRun, type ReadResult, recordRead } from "./outcome.server.ts";
import { earlierRead } from "./stored-evidence.server.ts";

/** Warns about what this machine lacks and only its operator can fix. */
function warnOperator(ctx: Context, { limit, servers, domain }: Observation): void {
  if (limit === "tcp")
    ctx.log.warn({ domain }, "this server cannot open TCP connections to port 53");
  else if (servers.length > 0 && servers.every(({ result }) => result === "ipv6_only"))
    ctx.log.warn(
      { domain },
      "this server has no IPv6, and the zone's nameservers have only IPv6 addresses",
    );
}

type Judgement = Pick<ReadResult, "decision" | "evidence" | "seen" | "chain" | "progress">;

const FAILED_HERE: Judgement = {
  decision: { outcome: "unresolvable" },
  evidence: null,
  seen: null,
  chain: null,
  progress: {},
};

/** Without a valid certificate, anyone on the uplink could be answering for the witness. */
function warnUntrusted(ctx: Context, { witnesses }: Observation): void {
  for (const { name, address, result } of witnesses ?? [])
    if (result === "untrusted")
      ctx.log.warn({ witness: name, address }, "a witness's certificate is invalid");
}

/** Judges an observation. A failure to judge counts as a failure on this side, never as a proof. */
function judge(
  ctx: Context,
  { claim, verification }: ClaimRows,
  observation: Observation,
): Judgement {
  try {
    warnUntrusted(ctx, observation);
    const history = historyOf(ctx, claim, verification);
    const evidence = evidenceOf(observation);
    const decision = decide(observation, history);
    return {
      decision,
      evidence: JSON.stringify(evidence),
      seen: seenBy(decision, evidence),
      chain: observation.chain,
      progress: progressOf(observation, history),
    };
  } catch (error) {
    ctx.log.error({ err: error, verificationId: verification.id }, "DNS read could not be judged");
    return FAILED_HERE;
  }
}

/**
 * One read of a leased verification, from the question to the committed outcome. Returns false and writes nothing if
 * `signal` cut it off or the time it ended is not known, and AddressFull, with nothing written, if it has to be made
 * again. `forced` is called more than once, because a forced run may join while the read is under way.
 */
export async function runCheck(
  ctx: Context,
  run: LeasedRun,
  signal: AbortSignal,
  forced: () => boolean,
): Promise<boolean | AddressFull> {
  const pair = rowsOfVerification(ctx.db).get({ id: run.verificationId });
  if (!pair) return true;
  const startedAt = ctx.clock();
  const { claim } = pair;
  const question = {
    domain: claim.name,
    label: claim.challengeLabel,
    token: claim.token,
    formerNameservers: () => formerNameservers(ctx, claim),
    isAwaited: forced,
    before: () => (forced() ? null : earlierRead(ctx.db, pair.verification.seen)),
  };
  const observation = await observe(
    ctx,
    question,
    { verificationId: pair.verification.id },
    signal,
  );
  if (observation instanceof AddressFull) return observation;
  const endedAt = ctx.clock();
  if ((!observation && signal.aborted) || !isTimeKnown(ctx)) return false;
  if (observation) warnOperator(ctx, observation);
  const judgement = observation ? judge(ctx, pair, observation) : FAILED_HERE;
  await recordRead(ctx, run, { ...judgement, startedAt, endedAt, forced: forced() });
  const zone = judgement.progress.zone ?? pair.verification.zone;
  wantRegistry(ctx, { name: pair.claim.name, zone }, judgement.decision);
  ctx.onRead?.(judgement.decision);
  return true;
}
