import type { Context } from "./context.server.ts";
import type { DelegationFrame, PublishingFrame } from "./resources.ts";

/**
 * Reads a zone for anybody: normalises the name, shares a read among simultaneous askers, caches it for
 * min(NS TTL, one hour). Throws invalid_domain, no_delegation, unresolvable; rejects when `signal` aborts.
 * The shared read stops once its last asker has left.
 */
export async function readZone(
  _ctx: Context,
  _input: string,
  _signal: AbortSignal,
): Promise<{ delegation: DelegationFrame; publishing: PublishingFrame }> {
  throw new Error("unwritten");
}
