/**
 * The contract, sentence by sentence, as far as it can be observed from outside. `interface#` is the interface
 * specification; `decisions#` is the page that settles what it leaves open. Each sentence is the name of at least one
 * test; otherwise coverage.test.ts fails.
 */
export const SENTENCES = {
  "interface#surface.1": "The public surface needs no account and writes nothing",
  "interface#surface.2": "A domain has no status and no token of its own",
  "interface#surface.3":
    "A claim is never reopened and never deleted: the list of claims is the history",
  "interface#surface.5":
    "A link has its own slug, never the DNS token, and resolves as a page and as JSON",
  "interface#surface.6":
    "Another account may prove the same name; that takes nothing away from this claim",
  "interface#conventions.1": "Every error body is { error: { code, message, docsUrl } }",
  "interface#conventions.2": "A claim that has not been checked never carries a diagnosis",
  "interface#conventions.3": "Timestamps are ISO 8601 in UTC with milliseconds",
  "interface#conventions.4": "Nullable fields are present with value null, never omitted",
  "interface#conventions.5": "A diagnosis is a 200 that names what is wrong",
  "interface#domain.1":
    "POST /api/domains finds or creates: the same name on the same account returns the same domain",
  "interface#domain.2":
    "A listed domain adds status, claimId, verificationId, claimStartedAt and claimEndedAt",
  "interface#domain.3": "The list is { domains, counts, nextCursor }, newest first",
  "interface#domain.4": "Counts tally the whole account, not only the returned page",
  "interface#domain.5": "Browsing leaves archived domains out until archived asks for them",
  "interface#domain.6": "Naming a domain with name finds it whether archived or not",
  "interface#domain.7": "GET /api/domains/<id> returns the domain",
  "interface#domain.8":
    "Archiving takes it off the list, ends an open claim and revokes every link for good; idempotent",
  "interface#domain.9":
    "Unarchiving puts it back with every claim; it opens no claim and restores no link; idempotent",
  "interface#domain.10":
    "DELETE answers 204 with no body; claims, notices and verifications are removed and links stop resolving",
  "interface#domain.11": "The page size is 1 to 100",
  "interface#domain.12": "Domain names are 1 to 253 characters long",
  "interface#claim.1":
    "Opening a claim issues a token, the record, a verification and a window of seven days",
  "interface#claim.2":
    "The token is the prefix and hexadecimal, and never changes during the claim's life",
  "interface#claim.3":
    "The record has the host label, the full name, type TXT and the token as value",
  "interface#claim.4":
    "While a claim is open POST answers already_claimed and hands back the claim held; no second token",
  "interface#claim.5": "Canceling ends the claim; claiming again issues a new token",
  "interface#claim.6": "An ended claim takes no action: claim_ended",
  "interface#claim.7": "Records are empty once the claim has ended",
  "interface#claim.8": "The list is newest first, every state, and can be narrowed to a domain",
  "interface#claim.9": "Coexistence is returned by read-one only",
  "interface#claim.10": "A proved claim ends the moment its verification does",
  "interface#claim.11": "An archived domain opens no claim",
  "interface#verification.1":
    "While it is not proved exactly one of diagnosis and waitEstimate is present",
  "interface#verification.2": "It stops running when its claim is canceled",
  "interface#verification.3": "POST runs answers 200 after reading DNS now",
  "interface#verification.4": "A finished verification answers verification_not_running",
  "interface#verification.5": "Attempts are listed newest first, every read made",
  "interface#verification.6": "domain_appended carries observed: { name }",
  "interface#link.1": "Publishing answers 201; asking twice returns the same slug",
  "interface#link.2": "Only a proved claim can publish",
  "interface#link.3": "An archived domain publishes nothing",
  "interface#link.4": "Links are listed newest first, revoked ones included",
  "interface#link.5": "Revoking answers 200 with standing revoked; twice is proof_link_not_found",
  "interface#link.6": "After a revocation other links keep working and the proof keeps its date",
  "interface#link.7": "The public read answers 410 once revoked and 404 when no proof resolves",
  "interface#link.8": "The public read and the page read no DNS",
  "interface#zone.1": "Frames are delegation, then publishing, then the end",
  "interface#zone.2": "Failure is a status with the envelope, never a frame: 400, 404, 502",
  "interface#zone.3": "When the request is aborted the server stops work",
  "interface#zone.4": "Reading a zone needs no account",
  "interface#auth.1": "Without a session account routes answer unauthenticated",
  "interface#auth.2": "An id of another account is indistinguishable from one that does not exist",
  "interface#auth.3": "After sign-in the session cookie is carried on every request",
  "interface#events.1":
    "One stream tells what moved: a message names the resource and carries no state",
  "interface#limits.1": "Zone reads are limited per IP with Retry-After",
  "interface#limits.2": "Proof page and proof JSON share one budget per IP",
  "interface#limits.3": "Forced runs are limited per verification and per account",
  "interface#versioning.1": "The API description version is 0.1.0 and paths carry no version",
  "decisions#names.1": "Ids are a prefix and a time-ordered random part",
  "decisions#names.2": "The token is service_v1_ and 40 lower-case hex digits",
  "decisions#names.3": "A slug is URL-safe and has at least 128 bits",
  "decisions#names.4": "Claim-related fields of a domain without a claim are present and null",
  "decisions#names.5":
    "nextCursor is null on the last page, opaque, and stable while rows are added",
  "decisions#domains.1": "POST /api/domains answers 201 when it created, 200 when it found",
  "decisions#domains.2": "Both spellings, with and without the trailing slash, work",
  "decisions#domains.3": "name is normalised as input is, then matched exactly",
  "decisions#domains.4": "The claim in play: open, else newest proved, else expired, else canceled",
  "decisions#domains.5":
    "The five statuses count listed domains, archived the rest; their sum is all",
  "decisions#domains.6": "Archiving cancels an open claim and stops its verification",
  "decisions#domains.7":
    "A name whose challenge name exceeds 253 octets is invalid_domain; zone reads take it",
  "decisions#domains.8": "A public suffix may be claimed; the zone read says isPublicSuffix",
  "decisions#domains.9": "Normalisations are named in the order applied",
  "decisions#domains.10": "An IP literal is invalid_domain",
  "decisions#claims.1":
    "POST /api/claims answers 201; already_claimed carries error.claim as read-one shows it",
  "decisions#claims.2":
    "coexistence is null alone, unnamed before this claim is proved, named with mask and date after",
  "decisions#claims.3": "heldBy is the mask of the holder's address",
  "decisions#claims.4":
    "panel is null until the zone is known, then { zone, host, provider }: what to type below a zone apex",
  "decisions#verifications.1":
    "No read yet: checking, waiting for first_check, which comes 30 seconds after the claim",
  "decisions#verifications.2":
    "A read that finds something wrong: needs_attention with the diagnosis",
  "decisions#verifications.3":
    "Ended: nextRunAt is null and diagnosis or wait is kept, a wait at 0",
  "decisions#verifications.4": "A forced run's attempt has the trigger requested",
  "decisions#verifications.5": "Two forced runs at once share one read and one draw on the budget",
  "decisions#verifications.6":
    "A forced run whose claim ends meanwhile without a proof is verification_not_running",
  "decisions#proofs.1": "One live link a claim; after a revocation asking issues a new slug",
  "decisions#proofs.2":
    "recency is latest, or earlier with the latest date, over every account's proofs",
  "decisions#proofs.3": "After DELETE of the domain: proof_not_found",
  "decisions#proofs.4":
    "GET /p/<slug> answers 200, 404 or 410 with a page for each, without a script",
  "decisions#proofs.5":
    "A proof says how many of the delegated nameservers answered, in the JSON and, where not all did, on the page",
  "decisions#zones.1":
    "Nameservers are lower case, without trailing dot, sorted, of the zone that holds the name",
  "decisions#zones.2": "A second read is cached and says so, with the time of the first",
  "decisions#zones.3": "Simultaneous askers share a read",
  "decisions#auth.1":
    "Asking for a link answers 202 { sent: true } whether the account exists or not",
  "decisions#auth.2":
    "A token signs in once; what is wrong, used or past its time is invalid_sign_in",
  "decisions#auth.3":
    "The code of the mail signs in too, in the browser that asked, with five tries",
  "decisions#auth.4":
    "A GET of the mailed link signs nobody in, and its token stands in no log line",
  "decisions#auth.5": "GET /api/auth/session tells the session or null",
  "decisions#auth.6": "Signing out answers 204 and ends the session",
  "decisions#auth.7": "The cookie is HttpOnly, SameSite=Lax, Path=/, for 30 days",
  "decisions#auth.8": "A callbackPath off this origin becomes /domains",
  "decisions#auth.9":
    "A write of another origin or site is cross_origin; one with neither header goes through",
  "decisions#auth.10": "The identity provider's routes are absent unless configured",
  "decisions#events.1": "Every change of the account is reported within a second, with its ids",
  "decisions#events.2": "A reconnect with Last-Event-ID gets what it missed",
  "decisions#events.3": "The stream ends on sign-out",
  "decisions#events.4": "The stream ends at shutdown",
  "decisions#events.5": "It is text/event-stream that nothing on the way may transform",
  "decisions#events.6": "Streams are capped per account",
  "decisions#notices.1": "A proof makes a notice, listed newest first with cursor and limit",
  "decisions#notices.2": "Reading a notice dates it; a foreign one is notice_not_found",
  "decisions#notices.3": "Another account's proof of the same name makes a coexistence notice",
  "decisions#notices.4": "Mail can be switched off per account",
  "decisions#account.1": "Sessions are listed and ended one by one",
  "decisions#account.2": "Signing out everywhere ends every session",
  "decisions#account.3":
    "Deleting the account asks for its address and takes everything; its proof links stop resolving",
  "decisions#errors.1":
    "A parameter or body the contract does not allow is invalid_request and names the field",
  "decisions#errors.2": "An unknown path is not_found",
  "decisions#errors.3": "A method a path does not take is method_not_allowed with Allow",
  "decisions#errors.4": "A body over 16 KiB is payload_too_large",
  "decisions#errors.5": "A body of another type is unsupported_media_type",
  "decisions#errors.6": "Bad percent-encoding is answered with the envelope",
  "decisions#errors.7": "docsUrl leads to a page of the service with an anchor for every code",
  "decisions#errors.8": "HEAD answers as GET without a body, OPTIONS with Allow",
  "decisions#errors.9":
    "A request without Host, and whatever else is no request of HTTP/1.1, gets the envelope",
  "decisions#errors.10": "Dot segments are not resolved, encoded or not",
  "decisions#errors.11": "Unknown query parameters on the public reads are ignored",
  "decisions#errors.12": "A cursor with anything around it is invalid_request",
  "decisions#errors.13": "A body with a Content-Encoding is unsupported_media_type",
  "decisions#errors.14":
    "More than 253 characters are invalid_domain in all three places, before anything is stripped",
  "decisions#limits.1": "Magic links are limited per address",
  "decisions#limits.2": "Other API calls are limited per account",
  "decisions#limits.3": "X-Forwarded-For of an untrusted hop counts for nothing",
  "decisions#limits.4": "JSON and HTML draw on the same budgets",
  "decisions#limits.5":
    "An account has so many claims open at once; one more is too_many_claims, in JSON and on the page",
  "decisions#handoff.1":
    "Handing a claim over answers 201 { slug, url, claimId, createdAt, expiresAt }, idempotent while it is open",
  "decisions#handoff.2": "An ended claim is handed to nobody: claim_ended",
  "decisions#handoff.3":
    "Taking it back answers 200; its page answers 410, and asking again issues a new slug",
  "decisions#handoff.4":
    "The page needs no account and no script: record, panel, state, diagnosis and reads",
  "decisions#handoff.5":
    "Check now reads DNS on the verification's own budget, not on the account's or its session",
  "decisions#handoff.6":
    "The page shows no other name of the account, nor more of the holder than the mask",
  "decisions#handoff.7": "It ends with its claim: 410 after; 404 for a slug never issued",
  "decisions#handoff.8": "A hand-off slug opens nothing but its page",
  "decisions#handoff.9": "The page draws on the proof pages' budget",
  "decisions#describe.1": "GET /api/openapi.json is OpenAPI 3.1",
  "decisions#describe.2": "The documentation shows every endpoint, error and diagnosis",
  "decisions#health.1": "GET /api/health says { status, version, role, database, worker, dns }",
  "decisions#health.2": "GET /metrics is off unless METRICS=on",
} as const;

export type SentenceId = keyof typeof SENTENCES;

/** The name of a test: the sentences it checks. */
export const says = (...ids: [SentenceId, ...SentenceId[]]): string =>
  ids.map((id) => `${id}: ${SENTENCES[id]}`).join(" / ");
