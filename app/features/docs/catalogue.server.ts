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
      "The zone’s nameservers have the record. Resolvers ask again when their cached answer expires. There is nothing to do.",
  },
  nameserver_sync: {
    title: "Nameservers are still updating",
    meaning:
      "Some of the zone’s nameservers have the record, or a delegation of its name. The others are expected to update, or answer again, within the zone’s refresh time, an hour at most. In `observed`, `nameservers` answer without the record and `noAnswer` do not answer; at least half must answer. With `secondRead`, all nameservers that answer have it, and a second check within five minutes decides, at a secret moment. There is nothing to do.",
  },
  retry: {
    title: "Deed could not reach DNS",
    meaning:
      "The last check failed on our side, which says nothing about the record. Deed tries again automatically.",
  },
};

const RETRY_ADVICE: Partial<Record<ErrorCode, string>> = {
  no_delegation: "When the domain is registered and its nameservers are set.",
  unresolvable: "Yes, waiting longer each time.",
  origin_not_registered: "When the account has proved that domain or a domain above it.",
  unauthenticated: "Sign in, or send `Authorization: Bearer` with an API key.",
  insufficient_scope: "No: create another key, with that scope.",
  invalid_sign_in: "Ask for a new link, then use that.",
  already_claimed: "No: use the open claim, which is `error.claim`.",
  too_many_claims: "When one of the open claims has been canceled or proved, or has expired.",
  too_many_domains: "When one of the domains has been deleted.",
  claim_ended: "No: open a new claim on the domain.",
  verification_not_running: "No: open a new claim on the domain.",
  domain_archived: "Take the domain out of the archive, then try again.",
  proof_revoked: "Ask the holder for a new link.",
  handoff_ended: "Ask the person who shared it for a new link.",
  rate_limited: "Yes, after the seconds in `Retry-After`.",
  unavailable: "Yes, after the seconds in `Retry-After`.",
  internal: "Yes, once, after a minute.",
};

export const errorEntries = (addresses: Addresses) =>
  (Object.keys(ERRORS) as ErrorCode[]).map((code) => {
    const [status, message] = ERRORS[code];
    const blocks = exchangeBlocks(examplesAt(addresses).errors[code]);
    const retry = RETRY_ADVICE[code] ?? "No: the same request fails again.";
    return { code, status, message, retry, blocks };
  });
