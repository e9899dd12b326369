import { corroborated } from "#app/dns/verdict/corroborate.ts";
import { decide, progressOf } from "#app/dns/verdict/decide.ts";
import type { Decision } from "#app/dns/verdict/diagnosis.ts";
import { evidenceOf } from "#app/dns/verdict/evidence.ts";
import type { Evidence, Observation } from "#app/dns/verdict/observation.ts";
import { seenBy } from "#app/dns/verdict/seen.ts";
import { isTimeKnown } from "../clock/timekeeper.server.ts";
import type { Context } from "../context.server.ts";
import { wantRegistry } from "../registry/asking.server.ts";
import { type ClaimRows, rowsOfVerification } from "./claim-lifecycle.server.ts";
import { askOthers } from "./corroboration.server.ts";
import { formerNameservers, historyOf } from "./history.server.ts";
import { observe } from "./observe.server.ts";
import { type LeasedRun, type ReadResult, recordRead } from "./outcome.server.ts";

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

/**
 * Judges an observation, with what other vantages read if it found the record. A failure to judge counts as a failure
 * on this side, never as a proof. Null if `signal` cut the others off, or another run took the verification over.
 */
async function judge(
  ctx: Context,
  run: LeasedRun,
  { claim, verification }: ClaimRows,
  observation: Observation,
  signal: AbortSignal,
): Promise<Judgement | null> {
  try {
    warnUntrusted(ctx, observation);
    const history = historyOf(ctx, claim, verification);
    const judged = (decision: Decision, evidence: Evidence): Judgement => ({
      decision,
      evidence: JSON.stringify(evidence),
      seen: seenBy(decision, evidence),
      chain: observation.chain,
      progress: progressOf(observation, history),
    });
    const evidence = evidenceOf(observation);
    const decision = decide(observation, history);
    if (decision.outcome !== "found" || !ctx.vantages) return judged(decision, evidence);
    const { domain, label, token } = observation;
    const question = { domain, label, token };
    const vantages = await askOthers(ctx, ctx.vantages, run, question, history, signal);
    return vantages && judged(corroborated(vantages), { ...evidence, vantages });
  } catch (error) {
    ctx.log.error({ err: error, verificationId: verification.id }, "DNS read could not be judged");
    return FAILED_HERE;
  }
}

/**
 * One read of a leased verification, from the question to the committed outcome. Returns false and writes nothing if
 * `signal` cut it off or the time it ended is not known. `forced` is called at the end, because a forced run may join
 * while the read is under way.
 */
export async function runCheck(
  ctx: Context,
  run: LeasedRun,
  signal: AbortSignal,
  forced: () => boolean,
): Promise<boolean> {
  const pair = rowsOfVerification(ctx.db).get({ id: run.verificationId });
  if (!pair) return true;
  const startedAt = ctx.clock();
  const { claim } = pair;
  const question = {
    domain: claim.name,
    label: claim.challengeLabel,
    token: claim.token,
    formerNameservers: () => formerNameservers(ctx, claim),
  };
  const observation = await observe(
    ctx,
    question,
    { verificationId: pair.verification.id },
    signal,
  );
  if (!observation && signal.aborted) return false;
  if (observation) warnOperator(ctx, observation);
  const judgement = observation ? await judge(ctx, run, pair, observation, signal) : FAILED_HERE;
  const endedAt = ctx.clock();
  if (!judgement || !isTimeKnown(ctx)) return false;
  await recordRead(ctx, run, { ...judgement, startedAt, endedAt, forced: forced() });
  const zone = judgement.progress.zone ?? pair.verification.zone;
  wantRegistry(ctx, { name: pair.claim.name, zone }, judgement.decision);
  ctx.onRead?.(judgement.decision);
  return true;
}
