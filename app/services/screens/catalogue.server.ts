import { WAIT_CATALOGUE } from "#app/dns/copy/catalogue.ts";
import { ERRORS, type ErrorCode } from "../errors.server.ts";
import type { WaitEstimate } from "../resources.ts";

export type WaitEntry = { reason: WaitEstimate["reason"]; title: string; meaning: string };

export const waitEntries = (): WaitEntry[] =>
  (Object.keys(WAIT_CATALOGUE) as WaitEntry["reason"][]).map((reason) => ({
    reason,
    ...WAIT_CATALOGUE[reason],
  }));

export type ErrorEntry = { code: ErrorCode; status: number; message: string; retry: string };

const RETRY: Partial<Record<ErrorCode, string>> = {
  no_delegation: "When the domain is registered and its nameservers are set.",
  unresolvable: "Yes, waiting longer each time.",
  origin_not_registered: "When the account has proved that domain or one above it.",
  unauthenticated: "Sign in, or send `Authorization: Bearer` with an API key.",
  invalid_sign_in: "Ask for a new link, then use that.",
  already_claimed: "No: use the open claim, which is `error.claim`.",
  too_many_claims: "When one of the open claims has been canceled or proved, or has expired.",
  claim_ended: "No: open a new claim on the domain.",
  verification_not_running: "No: open a new claim on the domain.",
  domain_archived: "Take the domain out of the archive, then try again.",
  proof_revoked: "Ask the holder for a new link.",
  handoff_ended: "Ask the person who shared it for a new link.",
  rate_limited: "Yes, after the seconds in `Retry-After`.",
  unavailable: "Yes, after the seconds in `Retry-After`.",
  internal: "Yes, once, after a minute.",
};

/** Every error code with its status, its message, and whether a retry helps. */
export const errorEntries = (): ErrorEntry[] =>
  (Object.keys(ERRORS) as ErrorCode[]).map((code) => {
    const [status, message] = ERRORS[code];
    return { code, status, message, retry: RETRY[code] ?? "No: the same request fails again." };
  });
