export const ERRORS = {
  invalid_domain: [400, "This is not a domain name that can be proved."],
  invalid_request: [400, "The request has a parameter or a body that is not allowed here."],
  origin_not_registered: [
    400,
    "This account has not proved the host of returnUrl or a domain above it. Prove it first.",
  ],
  unauthenticated: [401, "Sign in first, or send an API key as Authorization: Bearer."],
  invalid_sign_in: [401, "This sign-in link or code no longer works. Ask for a new one."],
  invalid_api_key: [
    401,
    "This API key is not valid. It may have a typo, or have been revoked, replaced or expired.",
  ],
  insufficient_scope: [403, "This API key may not do this."],
  not_first_address: [403, "Only the account’s first address can do this."],
  cross_origin: [403, "This request came from another site and was refused."],
  no_delegation: [
    404,
    "The registry does not list nameservers for this domain. The domain may not be registered or set up yet.",
  ],
  domain_not_found: [404, "There is no such domain on this account."],
  claim_not_found: [404, "There is no such claim on this account."],
  claim_not_proved: [404, "There is no proved claim with that id on this account."],
  verification_not_found: [404, "There is no verification with that id on this account."],
  proof_link_not_found: [404, "This claim has no public link with that slug."],
  proof_not_found: [404, "There is no proof at this address."],
  receipt_not_found: [
    404,
    "This proof has no receipt, because the version of Deed that made it did not issue receipts.",
  ],
  handoff_not_found: [404, "There is no open hand-off link here."],
  not_watched: [404, "The record of this proof is not watched."],
  notice_not_found: [404, "There is no notice with that id on this account."],
  person_not_found: [404, "There is no person with that id in this account."],
  invitation_not_found: [
    404,
    "This invitation is no longer open. It was answered or withdrawn, or its seven days are over.",
  ],
  key_not_found: [404, "There is no API key with that id on this account."],
  webhook_not_found: [404, "There is no webhook with that id on this account."],
  delivery_not_found: [404, "This webhook has no delivery with that id."],
  session_not_found: [404, "There is no session with that id on this account."],
  not_found: [404, "This path does not exist."],
  method_not_allowed: [405, "This path does not accept that method."],
  already_claimed: [409, "This domain already has an open claim."],
  too_many_claims: [
    409,
    "This account has reached its limit of open claims. Cancel one that you no longer need, or ask the operator for more.",
  ],
  too_many_domains: [
    409,
    "This account has reached its limit of domains. Delete one first, or ask the operator for more.",
  ],
  too_many_keys: [
    409,
    "This account has twenty API keys, the maximum for any account. Revoke one that you no longer use.",
  ],
  already_in_account: [409, "This address can already sign in to this account."],
  too_many_people: [
    409,
    "This account has twenty people and open invitations besides its first address, the maximum for any account. Remove a person or withdraw an invitation first.",
  ],
  first_address_stays: [
    409,
    "The first address cannot be removed, because proofs name it. You can only delete the account.",
  ],
  address_has_account: [
    409,
    "This address has another account, with domains or other people in it. Delete or leave that account, then open the invitation again.",
  ],
  too_many_webhooks: [
    409,
    "This account has ten webhooks, the maximum for any account. Delete one that you no longer need.",
  ],
  webhook_disabled: [409, "This webhook is disabled. Enable it first."],
  claim_ended: [409, "This claim has ended. Start again to get a new value."],
  domain_archived: [409, "This domain is archived. Take it out of the archive first."],
  verification_not_running: [409, "This claim has ended, so there is nothing to check."],
  proof_revoked: [410, "The holder has revoked this link. The proof itself is still valid."],
  handoff_ended: [
    410,
    "This page is closed: the claim has ended, or the person who shared it revoked the link.",
  ],
  payload_too_large: [413, "The body is larger than 16 KiB."],
  unsupported_media_type: [415, "Send the body as application/json."],
  rate_limited: [429, "Too many requests. Try again after the time in Retry-After."],
  internal: [500, "Something failed on our side. It has been logged."],
  unresolvable: [502, "DNS could not be reached for this domain. Try again in a minute."],
  unavailable: [503, "Deed cannot handle this request right now. Try again in a minute."],
} as const satisfies Record<string, readonly [status: number, message: string]>;

export type ErrorCode = keyof typeof ERRORS;

/** The limit that was reached, for each code that stands for only one limit. */
export const LIMIT_OF: Partial<Record<ErrorCode, string>> = {
  too_many_claims: "openClaims",
  too_many_domains: "domains",
  too_many_keys: "keys",
  too_many_people: "people",
  too_many_webhooks: "webhooks",
};

type Details = {
  message?: string;
  param?: string;
  /** The name of the limit in `GET /api/limits`. */
  budget?: string;
  retryAfter?: number;
  extra?: Record<string, unknown>;
  challenge?: string;
  allow?: string[];
};

export class DeedError extends Error {
  constructor(
    readonly code: ErrorCode,
    readonly details: Details = {},
  ) {
    super(details.message ?? ERRORS[code][1]);
    this.name = "DeedError";
  }

  get status(): number {
    return ERRORS[this.code][0];
  }
}

export function orThrow<T>(found: T | null | undefined, code: ErrorCode): T {
  if (found === null || found === undefined) throw new DeedError(code);
  return found;
}

export const invalidField = (name: string, problem: string) =>
  new DeedError("invalid_request", { message: `The field "${name}" ${problem}.`, param: name });
