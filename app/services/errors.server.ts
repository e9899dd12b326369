/** Every error code of the contract, with its HTTP status and default message. */
export const ERRORS = {
  invalid_domain: [400, "This is not a domain name that can be read and claimed."],
  invalid_request: [400, "The request has a parameter or body the contract does not allow."],
  unauthenticated: [401, "Sign in first: this needs a session."],
  invalid_sign_in: [401, "This sign-in link or code is not valid any more. Ask for a new one."],
  not_first_address: [403, "Only the first address of the account may do this."],
  cross_origin: [403, "This request came from another site and was refused."],
  no_delegation: [
    404,
    "The name has no nameservers: it is not registered, or its delegation is not published yet.",
  ],
  domain_not_found: [404, "There is no domain with that id on this account."],
  claim_not_found: [404, "There is no claim with that id on this account."],
  claim_not_proved: [404, "There is no proved claim with that id on this account."],
  verification_not_found: [404, "There is no verification with that id on this account."],
  proof_link_not_found: [404, "No live link with that slug stands on that claim."],
  proof_not_found: [404, "No proof stands at this address."],
  handoff_not_found: [404, "No live hand-off stands on that claim."],
  notice_not_found: [404, "There is no notice with that id on this account."],
  person_not_found: [404, "There is nobody with that id in this account."],
  invitation_not_found: [
    404,
    "This invitation is not open: it was answered or taken back, or its seven days are over.",
  ],
  session_not_found: [404, "There is no session with that id on this account."],
  not_found: [404, "There is nothing at this path."],
  method_not_allowed: [405, "This path does not take that method."],
  already_claimed: [409, "A claim on this domain is already open."],
  too_many_claims: [
    409,
    "This account has as many open claims as one may have. Cancel one that you no longer need.",
  ],
  already_in_account: [409, "This address signs in to this account already."],
  too_many_people: [
    409,
    "This account has as many people and open invitations as one may have: twenty besides its first address.",
  ],
  first_address_stays: [
    409,
    "The first address of an account stays in it, because proofs name it. To give it up, delete the account.",
  ],
  address_has_account: [
    409,
    "This address has an account of its own, with domains or with other people in it. Delete that account first, or leave it, then open the invitation again.",
  ],
  claim_ended: [409, "This claim has ended. Claim the domain again to get a new token."],
  domain_archived: [409, "This domain is archived. Take it out of the archive first."],
  verification_not_running: [409, "This verification has finished: there is nothing left to run."],
  proof_revoked: [410, "The holder has taken this link back. The proof itself stands."],
  handoff_ended: [410, "This page has ended: with its claim, or because its holder took it back."],
  payload_too_large: [413, "The body is larger than 16 KiB."],
  unsupported_media_type: [415, "Send the body as application/json."],
  rate_limited: [429, "Too many requests. Try again after the time in Retry-After."],
  internal: [500, "Something failed on our side. It has been logged."],
  unresolvable: [502, "DNS could not be reached to read this zone. Try again shortly."],
  unavailable: [503, "The service cannot take this request just now. Try again shortly."],
} as const satisfies Record<string, readonly [status: number, message: string]>;

export type ErrorCode = keyof typeof ERRORS;

type Details = {
  /** Human-readable text in place of the default message. */
  message?: string;
  /** Seconds, for rate_limited and unavailable. */
  retryAfter?: number;
  /** Additional members of the error object, for example the open claim of already_claimed. */
  extra?: Record<string, unknown>;
  /** Methods, for method_not_allowed. */
  allow?: string[];
};

/** An error of the contract. Whichever layer throws it, the response is its envelope. */
export class DeedError extends Error {
  readonly code: ErrorCode;
  readonly details: Details;

  constructor(code: ErrorCode, details: Details = {}) {
    super(details.message ?? ERRORS[code][1]);
    this.name = "DeedError";
    this.code = code;
    this.details = details;
  }

  get status(): number {
    return ERRORS[this.code][0];
  }
}
