import { ERRORS, type ErrorCode } from "#app/core/errors.server.ts";
import type { WaitEstimate } from "#app/features/claims/resources.ts";
import { type Addresses, examplesAt, exchangeBlocks } from "./examples.server.ts";

export const WAITS: Record<WaitEstimate["reason"], { title: string; meaning: string }> = {
  first_check: {
    title: "The first check is about to start",
    meaning: "DNS has not been checked yet. The first check is ten seconds after the claim opens.",
  },
  negative_cache: {
    title: "Resolvers still have the old answer cached",
    meaning:
      "The domain’s nameservers have the record. Resolvers ask again when their cached answer expires.",
  },
  nameserver_sync: {
    title: "Nameservers are still updating",
    meaning:
      "Some of the domain’s nameservers have the record. The others are expected to update, or answer again, within the zone’s refresh time, an hour at most; at least half must answer. If all that answer have it, a second check within five minutes decides, at a secret moment.",
  },
  retry: {
    title: "Deed could not reach DNS",
    meaning:
      "The last check failed on our side, which says nothing about the record. Deed tries again automatically.",
  },
};

/** What the message of an error does not say. */
const ADVICE: Partial<Record<ErrorCode, string>> = {
  no_delegation: "Try again when the domain is registered and its nameservers are set.",
  unresolvable: "Then wait longer each time.",
  insufficient_scope: "Create another key, with that scope.",
  already_claimed: "Use the open claim, which is `error.claim`.",
  too_many_claims: "Try again when one has been canceled or proved, or has expired.",
  verification_not_running: "Open a new claim on the domain.",
  proof_revoked: "Ask the holder for a new link.",
  handoff_ended: "Ask the person who shared it for a new link.",
  unavailable: "`Retry-After` says how long to wait.",
  internal: "Try again once, after a minute.",
};

export const errorEntries = (addresses: Addresses) =>
  (Object.keys(ERRORS) as ErrorCode[]).map((code) => {
    const [status, message] = ERRORS[code];
    const blocks = exchangeBlocks(examplesAt(addresses).errors[code]);
    const text = [message, ADVICE[code]].filter(Boolean).join(" ");
    return { code, status, text, blocks };
  });
