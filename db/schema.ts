import { sql } from "drizzle-orm";
import {
  type AnySQLiteColumn,
  blob,
  check,
  foreignKey,
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  unique,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";

/** Instants are stored as integer milliseconds since the epoch, UTC. */
const instant = (name: string) => integer(name);
const flag = (name: string) => integer(name, { mode: "boolean" });

export const CLAIM_STATES = ["pending", "proved", "expired", "canceled"] as const;
export const DOMAIN_STATUSES = ["unclaimed", ...CLAIM_STATES] as const;
export const VERIFICATION_STATUSES = [
  "checking",
  "propagating",
  "needs_attention",
  "proved",
  "exhausted",
  "stopped",
] as const;
export const OUTCOMES = ["found", "absent", "unresolvable"] as const;
export const TRIGGERS = ["first_check", "scheduled", "requested", "deadline"] as const;
export const WAIT_REASONS = ["first_check", "negative_cache", "nameserver_sync", "retry"] as const;
export const NOTICE_KINDS = ["proved", "nudge", "expiring", "expired", "coexistence"] as const;
export const PROVIDERS = [
  "cloudflare",
  "route53",
  "godaddy",
  "namecheap",
  "google-domains",
  "vercel",
  "other",
] as const;
export const FEED_TYPES = [
  "verification.ran",
  "claim.opened",
  "claim.ended",
  "domain.archived",
  "domain.unarchived",
  "domain.created",
  "domain.deleted",
  "proof_link.issued",
  "proof_link.revoked",
  "notice.created",
] as const;

/** What a webhook may be told: the change feed, and what an integrator waits for. */
export const WEBHOOK_EVENTS = [
  ...FEED_TYPES,
  "claim.proved",
  "claim.expired",
  "claim.needs_attention",
  "handoff.opened",
] as const;
/** Why a webhook gets no events: its holder's wish, its answer 410, or three days of failures. */
export const WEBHOOK_ENDS = ["holder", "gone", "failing"] as const;
export const DELIVERY_STATES = ["pending", "delivered", "failed"] as const;

/** Events recorded in an account's log. */
export const ACCOUNT_EVENTS = [
  "signed_in_by_link",
  "signed_in_by_code",
  "signed_in_by_provider",
  "code_refused",
  "signed_out",
  "session_ended",
  "signed_out_everywhere",
  "proof_link_issued",
  "proof_link_revoked",
  "handoff_issued",
  "handoff_revoked",
  "mails_switched_on",
  "mails_switched_off",
  "identity_joined",
  "person_invited",
  "invitation_withdrawn",
  "invitation_declined",
  "person_joined",
  "person_removed",
  "person_left",
  "account_disabled",
  "account_enabled",
  "key_created",
  "key_rotated",
  "key_revoked",
  "webhook_added",
  "webhook_changed",
  "webhook_rotated",
  "webhook_removed",
  "origin_registered",
  "origin_removed",
] as const;

/** What an API key may do. */
export const SCOPES = ["zones:read", "domains:read", "domains:write"] as const;
export type Scope = (typeof SCOPES)[number];

const oneOf = (column: AnySQLiteColumn, values: readonly string[]) =>
  sql`${column} in (${sql.raw(values.map((value) => `'${value}'`).join(", "))})`;

export const accounts = sqliteTable(
  "accounts",
  {
    id: text("id").primaryKey(),
    /** The first address, lower-cased, for good: proofs name it. A trigger makes it the first of the account's people. */
    email: text("email").notNull().unique(),
    createdAt: instant("created_at").notNull(),
    /** When the operator disabled it: nobody signs in to it. */
    disabledAt: instant("disabled_at"),
  },
  (t) => [index("accounts_listing").on(t.createdAt, t.id)],
);

/** The addresses that sign in to an account, the account's own first. */
export const people = sqliteTable(
  "people",
  {
    id: text("id").primaryKey(),
    accountId: text("account_id")
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    /** Lower-cased; the only address this person's mail goes to. */
    email: text("email").notNull().unique(),
    oidcIssuer: text("oidc_issuer"),
    oidcSubject: text("oidc_subject"),
    /** When a mail to the address was first answered; null if only the identity provider vouches for it. */
    mailProvedAt: instant("mail_proved_at"),
    mailEnabled: flag("mail_enabled").notNull().default(true),
    createdAt: instant("created_at").notNull(),
    /** The last use of any session, to the hour; null before the first. */
    lastSeenAt: instant("last_seen_at"),
  },
  (t) => [
    index("people_account").on(t.accountId, t.createdAt, t.id),
    uniqueIndex("people_oidc").on(t.oidcIssuer, t.oidcSubject),
    check("people_oidc_whole", sql`(${t.oidcIssuer} is null) = (${t.oidcSubject} is null)`),
  ],
);

/** Invitations to an account that nobody has answered. */
export const invitations = sqliteTable(
  "invitations",
  {
    id: text("id").primaryKey(),
    accountId: text("account_id")
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    /** Whoever is removed takes along the invitations they sent. */
    invitedBy: text("invited_by")
      .notNull()
      .references(() => people.id, { onDelete: "cascade" }),
    email: text("email").notNull(),
    tokenHash: text("token_hash").notNull().unique(),
    createdAt: instant("created_at").notNull(),
    expiresAt: instant("expires_at").notNull(),
  },
  (t) => [
    unique("invitations_account_email").on(t.accountId, t.email),
    index("invitations_inviter").on(t.invitedBy),
    index("invitations_expiry").on(t.expiresAt),
    check("invitations_order", sql`${t.expiresAt} > ${t.createdAt}`),
  ],
);

export const sessions = sqliteTable(
  "sessions",
  {
    id: text("id").primaryKey(),
    personId: text("person_id")
      .notNull()
      .references(() => people.id, { onDelete: "cascade" }),
    tokenHash: text("token_hash").notNull().unique(),
    userAgent: text("user_agent").notNull().default(""),
    createdAt: instant("created_at").notNull(),
    lastUsedAt: instant("last_used_at").notNull(),
    expiresAt: instant("expires_at").notNull(),
  },
  (t) => [
    index("sessions_person").on(t.personId),
    index("sessions_expiry").on(t.expiresAt),
    check("sessions_order", sql`${t.expiresAt} > ${t.createdAt}`),
  ],
);

/**
 * Keys of the API. Only keyed hashes of their secrets are stored. After a rotation the previous secret still works
 * until `previous_until`, while the person it was shown to is in the account.
 */
export const apiKeys = sqliteTable(
  "api_keys",
  {
    id: text("id").primaryKey(),
    accountId: text("account_id")
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    /** Whom the newest secret was shown to. The key ends with them. */
    personId: text("person_id")
      .notNull()
      .references(() => people.id, { onDelete: "cascade" }),
    name: text("name").notNull(),
    scopes: text("scopes", { mode: "json" }).$type<Scope[]>().notNull(),
    /** CIDRs that may use it; any address if empty. */
    addresses: text("addresses", { mode: "json" }).$type<string[]>().notNull(),
    secretHash: text("secret_hash").notNull(),
    previousHash: text("previous_hash"),
    previousUntil: instant("previous_until"),
    /** Whom the previous secret was shown to. */
    previousPersonId: text("previous_person_id").references(() => people.id, {
      onDelete: "set null",
    }),
    createdAt: instant("created_at").notNull(),
    rotatedAt: instant("rotated_at"),
    /** Null: never. */
    expiresAt: instant("expires_at"),
    lastUsedAt: instant("last_used_at"),
    lastUsedFrom: text("last_used_from"),
  },
  (t) => [
    index("api_keys_account").on(t.accountId, t.createdAt, t.id),
    index("api_keys_person").on(t.personId),
    index("api_keys_previous_person").on(t.previousPersonId),
    check(
      "api_keys_previous_whole",
      sql`(${t.previousHash} is null) = (${t.previousUntil} is null)`,
    ),
    check("api_keys_order", sql`${t.expiresAt} is null or ${t.expiresAt} > ${t.createdAt}`),
    check("api_keys_used_whole", sql`(${t.lastUsedAt} is null) = (${t.lastUsedFrom} is null)`),
  ],
);

/** Origins of the account's own applications: hand-offs may lead back to them, and they may embed hand-off pages. */
export const accountOrigins = sqliteTable(
  "account_origins",
  {
    accountId: text("account_id")
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    /** As browsers write it, https://app.example:8443. */
    origin: text("origin").notNull(),
  },
  (t) => [primaryKey({ columns: [t.accountId, t.origin] })],
);

export const signInLinks = sqliteTable(
  "sign_in_links",
  {
    id: text("id").primaryKey(),
    tokenHash: text("token_hash").notNull().unique(),
    codeHash: text("code_hash").notNull(),
    codeTries: integer("code_tries").notNull().default(0),
    /**
     * Hash of the secret of the browser that asked, which alone may use the code. Null on links older than this column.
     */
    browserHash: text("browser_hash"),
    email: text("email").notNull(),
    callbackPath: text("callback_path").notNull(),
    createdAt: instant("created_at").notNull(),
    expiresAt: instant("expires_at").notNull(),
    consumedAt: instant("consumed_at"),
  },
  (t) => [
    index("sign_in_links_email").on(t.email, t.createdAt),
    index("sign_in_links_expiry").on(t.expiresAt),
    check("sign_in_links_code_tries", sql`${t.codeTries} between 0 and 5`),
    check("sign_in_links_path", sql`${t.callbackPath} like '/%'`),
  ],
);

export const domains = sqliteTable(
  "domains",
  {
    id: text("id").primaryKey(),
    accountId: text("account_id")
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    name: text("name").notNull(),
    unicodeName: text("unicode_name").notNull(),
    /** The account's own id of whom the domain is for; empty for none. One name may be there once for each. */
    reference: text("reference").notNull().default(""),
    archived: flag("archived").notNull().default(false),
    /** State of the claim in play, updated in the transaction that moves the claim. */
    status: text("status", { enum: DOMAIN_STATUSES }).notNull().default("unclaimed"),
    claimId: text("claim_id"),
    /** The date of its newest proof, written in the transaction that proves the claim. */
    lastProvedAt: instant("last_proved_at"),
    createdAt: instant("created_at").notNull(),
  },
  (t) => [
    unique("domains_account_name_reference").on(t.accountId, t.name, t.reference),
    unique("domains_id_account").on(t.id, t.accountId),
    index("domains_listing").on(t.accountId, t.archived, t.createdAt, t.id),
    index("domains_listing_status").on(t.accountId, t.archived, t.status, t.createdAt, t.id),
    index("domains_listing_name").on(t.accountId, t.archived, t.name, t.id),
    index("domains_of_name").on(t.accountId, t.name, t.createdAt, t.id),
    index("domains_of_reference")
      .on(t.accountId, t.reference, t.archived, t.createdAt, t.id)
      .where(sql`${t.reference} <> ''`),
    index("domains_of_reference_status")
      .on(t.accountId, t.reference, t.archived, t.status, t.createdAt, t.id)
      .where(sql`${t.reference} <> ''`),
    check("domains_status", oneOf(t.status, DOMAIN_STATUSES)),
    check("domains_claim_in_play", sql`(${t.status} = 'unclaimed') = (${t.claimId} is null)`),
    check("domains_archived_closed", sql`not (${t.archived} = 1 and ${t.status} = 'pending')`),
    check("domains_name_length", sql`length(${t.name}) between 1 and 253`),
    check("domains_reference_length", sql`length(${t.reference}) <= 200`),
  ],
);

/**
 * Numbers domains in the order they were added, for the search index `domain_search` (db/migrations/0011), which
 * triggers on `domains` keep. A row id of `domains` itself may change when the file is rewritten.
 */
export const domainNumbers = sqliteTable("domain_numbers", {
  number: integer("number").primaryKey(),
  domainId: text("domain_id")
    .notNull()
    .unique()
    .references(() => domains.id, { onDelete: "cascade" }),
});

/** Tallies of an account's domains, written only by triggers on `domains`. */
export const domainCounts = sqliteTable("domain_counts", {
  accountId: text("account_id")
    .primaryKey()
    .references(() => accounts.id, { onDelete: "cascade" }),
  unclaimed: integer("unclaimed").notNull().default(0),
  pending: integer("pending").notNull().default(0),
  proved: integer("proved").notNull().default(0),
  expired: integer("expired").notNull().default(0),
  canceled: integer("canceled").notNull().default(0),
  archived: integer("archived").notNull().default(0),
});

export const claims = sqliteTable(
  "claims",
  {
    id: text("id").primaryKey(),
    accountId: text("account_id").notNull(),
    domainId: text("domain_id").notNull(),
    /** ASCII name, copied from the domain: recency and coexistence are looked up by it across accounts. */
    name: text("name").notNull(),
    /** Copied from the domain, for the list of a reference's claims. */
    reference: text("reference").notNull().default(""),
    state: text("state", { enum: CLAIM_STATES }).notNull().default("pending"),
    token: text("token").notNull().unique(),
    /** The host label of this claim's record; the installation may change its label later. */
    challengeLabel: text("challenge_label").notNull(),
    /** Provider of the zone when the claim was proved. */
    provider: text("provider", { enum: PROVIDERS }),
    /**
     * JSON of a NameserverCount (app/dns/verdict/publication-status.ts) of the read that proved the claim; null if
     * unknown.
     */
    nameservers: text("nameservers"),
    createdAt: instant("created_at").notNull(),
    expiresAt: instant("expires_at").notNull(),
    endedAt: instant("ended_at"),
    /** The date of a proof: when its read ended. */
    provedAt: instant("proved_at").generatedAlwaysAs(
      sql`case state when 'proved' then ended_at end`,
      { mode: "virtual" },
    ),
    /** When the next nudge or expiring notice is due. */
    nextNoticeAt: instant("next_notice_at"),
  },
  (t) => [
    foreignKey({
      name: "claims_domain",
      columns: [t.domainId, t.accountId],
      foreignColumns: [domains.id, domains.accountId],
    }).onDelete("cascade"),
    uniqueIndex("claims_one_open").on(t.domainId).where(sql`${t.state} = 'pending'`),
    index("claims_account").on(t.accountId, t.createdAt, t.id),
    index("claims_domain_history").on(t.domainId, t.createdAt, t.id),
    index("claims_of_reference")
      .on(t.accountId, t.reference, t.createdAt, t.id)
      .where(sql`${t.reference} <> ''`),
    index("claims_proofs_of_name").on(t.name, t.endedAt).where(sql`${t.state} = 'proved'`),
    index("claims_deadline").on(t.expiresAt).where(sql`${t.state} = 'pending'`),
    index("claims_open_of_account").on(t.accountId, t.expiresAt).where(sql`${t.state} = 'pending'`),
    index("claims_notice_due").on(t.nextNoticeAt).where(sql`${t.nextNoticeAt} is not null`),
    check("claims_state", oneOf(t.state, CLAIM_STATES)),
    check("claims_end_has_a_date", sql`(${t.state} = 'pending') = (${t.endedAt} is null)`),
    check(
      "claims_expired_at_deadline",
      sql`${t.state} <> 'expired' or ${t.endedAt} = ${t.expiresAt}`,
    ),
    check("claims_proved_in_window", sql`${t.state} <> 'proved' or ${t.endedAt} <= ${t.expiresAt}`),
    check("claims_proved_after_opening", sql`${t.provedAt} >= ${t.createdAt}`),
    check("claims_notice_while_open", sql`${t.nextNoticeAt} is null or ${t.state} = 'pending'`),
    check("claims_window", sql`${t.expiresAt} > ${t.createdAt}`),
    check(
      "claims_provider",
      sql`${t.provider} is null or (${t.state} = 'proved' and ${oneOf(t.provider, PROVIDERS)})`,
    ),
    check(
      "claims_nameservers",
      sql`${t.nameservers} is null or (${t.state} = 'proved' and json_valid(${t.nameservers}))`,
    ),
  ],
);

export const verifications = sqliteTable(
  "verifications",
  {
    id: text("id").primaryKey(),
    claimId: text("claim_id")
      .notNull()
      .unique()
      .references(() => claims.id, { onDelete: "cascade" }),
    accountId: text("account_id").notNull(),
    status: text("status", { enum: VERIFICATION_STATUSES }).notNull().default("checking"),
    lastOutcome: text("last_outcome", { enum: OUTCOMES }),
    /** JSON of a Diagnosis (app/dns/verdict/diagnosis.ts): code, observed, awaits; never sentences. */
    diagnosis: text("diagnosis"),
    waitReason: text("wait_reason", { enum: WAIT_REASONS }),
    waitUntil: instant("wait_until"),
    /**
     * JSON of a Publication (app/dns/verdict/diagnosis.ts): which nameservers the wait is for, if a read has shown it.
     */
    waitObserved: text("wait_observed"),
    lastRunAt: instant("last_run_at"),
    nextRunAt: instant("next_run_at"),
    deadline: instant("deadline").notNull(),
    createdAt: instant("created_at").notNull(),

    /** The lease of the read under way: its attempt id, and until when it holds the verification. */
    runId: text("run_id"),
    runUntil: instant("run_until"),

    /** State carried from one read to the next. */
    zone: text("zone"),
    provider: text("provider", { enum: PROVIDERS }),
    firstSerial: integer("first_serial"),
    partialSince: instant("partial_since"),
    resolversDue: instant("resolvers_due"),
    /** JSON of a SerialMemory (app/dns/verdict/serials.ts). */
    serials: text("serials"),
    failures: integer("failures").notNull().default(0),
    fastUntil: instant("fast_until"),
    fastDay: integer("fast_day"),
    fastCount: integer("fast_count").notNull().default(0),
  },
  (t) => [
    index("verifications_due")
      .on(t.nextRunAt, t.deadline, t.runUntil)
      .where(sql`${t.nextRunAt} is not null`),
    index("verifications_account").on(t.accountId, t.createdAt),
    index("verifications_zone").on(t.accountId, t.zone, t.createdAt),
    index("verifications_needs_attention")
      .on(t.accountId, t.createdAt, t.id)
      .where(sql`${t.status} = 'needs_attention'`),
    check("verifications_status", oneOf(t.status, VERIFICATION_STATUSES)),
    check(
      "verifications_outcome",
      sql`${t.lastOutcome} is null or ${oneOf(t.lastOutcome, OUTCOMES)}`,
    ),
    check(
      "verifications_wait_reason",
      sql`${t.waitReason} is null or ${oneOf(t.waitReason, WAIT_REASONS)}`,
    ),
    check("verifications_provider", sql`${t.provider} is null or ${oneOf(t.provider, PROVIDERS)}`),
    check(
      "verifications_diagnosis_or_wait",
      sql`(${t.diagnosis} is not null) + (${t.waitReason} is not null) = (${t.status} <> 'proved')`,
    ),
    check("verifications_wait_whole", sql`(${t.waitReason} is null) = (${t.waitUntil} is null)`),
    check(
      "verifications_status_means",
      sql`case ${t.status}
        when 'checking' then ifnull(${t.waitReason}, '') in ('first_check', 'retry')
        when 'propagating' then ifnull(${t.waitReason}, '') in ('negative_cache', 'nameserver_sync')
        when 'needs_attention' then ${t.diagnosis} is not null
        else 1 end`,
    ),
    check(
      "verifications_runs_while_open",
      sql`(${t.status} in ('checking', 'propagating', 'needs_attention')) = (${t.nextRunAt} is not null)`,
    ),
    check(
      "verifications_next_before_deadline",
      sql`${t.nextRunAt} is null or ${t.nextRunAt} <= ${t.deadline}`,
    ),
    check("verifications_run_whole", sql`(${t.runId} is null) = (${t.runUntil} is null)`),
    check("verifications_run_while_open", sql`${t.runId} is null or ${t.nextRunAt} is not null`),
  ],
);

export const attempts = sqliteTable(
  "attempts",
  {
    id: text("id").primaryKey(),
    verificationId: text("verification_id")
      .notNull()
      .references(() => verifications.id, { onDelete: "cascade" }),
    trigger: text("trigger", { enum: TRIGGERS }).notNull(),
    outcome: text("outcome", { enum: OUTCOMES }).notNull(),
    diagnosis: text("diagnosis"),
    latencyMs: integer("latency_ms"),
    at: instant("at").notNull(),
  },
  (t) => [
    index("attempts_story").on(t.verificationId, t.at, t.id),
    index("attempts_unresolvable").on(t.at).where(sql`${t.outcome} = 'unresolvable'`),
    uniqueIndex("attempts_one_found").on(t.verificationId).where(sql`${t.outcome} = 'found'`),
    check("attempts_trigger", oneOf(t.trigger, TRIGGERS)),
    check("attempts_outcome", oneOf(t.outcome, OUTCOMES)),
    check("attempts_diagnosis_of_absent", sql`${t.diagnosis} is null or ${t.outcome} = 'absent'`),
  ],
);

/** Who was asked and what they answered, for one attempt. Trimmed to its summary after 30 days. */
export const attemptEvidence = sqliteTable(
  "attempt_evidence",
  {
    attemptId: text("attempt_id")
      .primaryKey()
      .references(() => attempts.id, { onDelete: "cascade" }),
    /** JSON of an Evidence (app/dns/verdict/observation.ts), or of its summary once trimmed. */
    evidence: text("evidence").notNull(),
    trimmed: flag("trimmed").notNull().default(false),
    at: instant("at").notNull(),
  },
  (t) => [
    index("attempt_evidence_to_trim").on(t.at).where(sql`${t.trimmed} = 0`),
    check("attempt_evidence_json", sql`json_valid(${t.evidence})`),
  ],
);

export const proofLinks = sqliteTable(
  "proof_links",
  {
    slug: text("slug").primaryKey(),
    claimId: text("claim_id")
      .notNull()
      .references(() => claims.id, { onDelete: "cascade" }),
    issuedAt: instant("issued_at").notNull(),
    revokedAt: instant("revoked_at"),
  },
  (t) => [
    uniqueIndex("proof_links_one_live").on(t.claimId).where(sql`${t.revokedAt} is null`),
    index("proof_links_claim").on(t.claimId, t.issuedAt),
    check("proof_links_order", sql`${t.revokedAt} is null or ${t.revokedAt} >= ${t.issuedAt}`),
  ],
);

/** The receipt of a proof, written with it; proofs made before there were receipts have none. */
export const receipts = sqliteTable(
  "receipts",
  {
    claimId: text("claim_id")
      .primaryKey()
      .references(() => claims.id, { onDelete: "cascade" }),
    /** Compact JWS over a Statement (app/receipt/statement.ts). */
    statement: text("statement").notNull(),
    /** Octets of the DNSSEC chain; null unless the statement says "secure". */
    chain: blob("chain", { mode: "buffer" }),
    /** Canonical JSON of the Evidence (app/dns/verdict/observation.ts) of the read that proved the claim. */
    evidence: text("evidence").notNull(),
    /** Opens the commitment to the holder's address: 16 random octets. */
    salt: blob("salt", { mode: "buffer" }).notNull(),
    /** Where the log has the hash of the statement. */
    log: text("log"),
    logIndex: integer("log_index"),
  },
  (t) => [
    check("receipts_evidence_json", sql`json_valid(${t.evidence})`),
    check("receipts_salt", sql`length(${t.salt}) = 16`),
    check("receipts_log_whole", sql`(${t.log} is null) = (${t.logIndex} is null)`),
  ],
);

/** The keys that have signed receipts. The one without an end signs now. */
export const signingKeys = sqliteTable(
  "signing_keys",
  {
    /** RFC 7638 thumbprint. */
    kid: text("kid").primaryKey(),
    /** The public key (RFC 8037), base64url. */
    x: text("x").notNull(),
    notBefore: instant("not_before").notNull(),
    notAfter: instant("not_after"),
    /** Compact JWS by which this key names its successor; null for the key that signs now, and for one that was lost. */
    succession: text("succession"),
  },
  (t) => [
    uniqueIndex("signing_keys_one_current").on(sql`(1)`).where(sql`${t.notAfter} is null`),
    check("signing_keys_order", sql`${t.notAfter} is null or ${t.notAfter} >= ${t.notBefore}`),
  ],
);

/** Pages for the person who edits the zone. Each ends with its claim, or when its holder revokes it. */
export const handoffs = sqliteTable(
  "handoffs",
  {
    slug: text("slug").primaryKey(),
    claimId: text("claim_id")
      .notNull()
      .references(() => claims.id, { onDelete: "cascade" }),
    createdAt: instant("created_at").notNull(),
    revokedAt: instant("revoked_at"),
    /** Whether its page shows the account's address whole: only if the person who shared it said so. */
    showAddress: flag("show_address").notNull().default(false),
    /** In the words of the person who shared it, as is the next. */
    title: text("title"),
    requestedFor: text("requested_for"),
    /** Where its page leads back to, while the account has the origin registered. */
    returnUrl: text("return_url"),
  },
  (t) => [
    uniqueIndex("handoffs_one_live").on(t.claimId).where(sql`${t.revokedAt} is null`),
    index("handoffs_claim").on(t.claimId),
    check("handoffs_order", sql`${t.revokedAt} is null or ${t.revokedAt} >= ${t.createdAt}`),
  ],
);

export const notices = sqliteTable(
  "notices",
  {
    id: text("id").primaryKey(),
    accountId: text("account_id")
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    kind: text("kind", { enum: NOTICE_KINDS }).notNull(),
    domainId: text("domain_id")
      .notNull()
      .references(() => domains.id, { onDelete: "cascade" }),
    claimId: text("claim_id")
      .notNull()
      .references(() => claims.id, { onDelete: "cascade" }),
    createdAt: instant("created_at").notNull(),
    readAt: instant("read_at"),
  },
  (t) => [
    index("notices_account").on(t.accountId, t.createdAt, t.id),
    index("notices_domain").on(t.domainId),
    index("notices_claim_kind").on(t.claimId, t.kind, t.createdAt),
    check("notices_kind", oneOf(t.kind, NOTICE_KINDS)),
  ],
);

/** The mails of a notice, one for each person who wants them. */
export const noticeMails = sqliteTable(
  "notice_mails",
  {
    noticeId: text("notice_id")
      .notNull()
      .references(() => notices.id, { onDelete: "cascade" }),
    personId: text("person_id")
      .notNull()
      .references(() => people.id, { onDelete: "cascade" }),
    /** When it is due; null once it is sent or given up. */
    dueAt: instant("due_at"),
    tries: integer("tries").notNull().default(0),
    mailedAt: instant("mailed_at"),
  },
  (t) => [
    primaryKey({ columns: [t.noticeId, t.personId] }),
    index("notice_mails_due").on(t.dueAt).where(sql`${t.dueAt} is not null`),
    index("notice_mails_mailed").on(t.personId, t.mailedAt),
    check("notice_mails_once", sql`${t.dueAt} is null or ${t.mailedAt} is null`),
  ],
);

/** Mails that the mail server did not take, for the operator. Kept for a day, and at most 1,000. */
export const mailFailures = sqliteTable(
  "mail_failures",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    at: instant("at").notNull(),
    /** Domain of the recipient's address. */
    domain: text("domain").notNull(),
    /** Codes of the mail server, without its text, which may repeat the address. */
    reason: text("reason").notNull(),
  },
  (t) => [index("mail_failures_age").on(t.at)],
);

/** Security events of an account, shown to its holder. Kept for at most 90 days, and at most 50 per kind. */
export const accountEvents = sqliteTable(
  "account_events",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    accountId: text("account_id")
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    kind: text("kind", { enum: ACCOUNT_EVENTS }).notNull(),
    /** Address of who acted, or was invited or removed; null on rows older than this column. */
    email: text("email"),
    /** User agent of the browser that signed in, tried a code or was signed out; otherwise empty. */
    userAgent: text("user_agent").notNull().default(""),
    /** Domain of the proof link or hand-off concerned; null otherwise, and once the domain is erased. */
    domainId: text("domain_id").references(() => domains.id, { onDelete: "set null" }),
    /** Name of the API key, host of the webhook, or origin concerned; null otherwise. */
    subject: text("subject"),
    at: instant("at").notNull(),
  },
  (t) => [
    index("account_events_account").on(t.accountId, t.kind, t.id),
    index("account_events_domain").on(t.domainId),
    index("account_events_age").on(t.at),
    check("account_events_kind", oneOf(t.kind, ACCOUNT_EVENTS)),
  ],
);

/** The change feed, written in the transaction that makes the change. Kept for 24 hours. */
export const changeFeed = sqliteTable(
  "change_feed",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    accountId: text("account_id").notNull(),
    type: text("type", { enum: FEED_TYPES }).notNull(),
    /** JSON object of the ids concerned, for example {"verificationId","claimId"}. */
    ids: text("ids").notNull(),
    at: instant("at").notNull(),
  },
  (t) => [
    index("change_feed_account").on(t.accountId, t.id),
    check("change_feed_type", oneOf(t.type, FEED_TYPES)),
    check("change_feed_ids", sql`json_valid(${t.ids})`),
  ],
);

/** Where an account's events are posted. */
export const webhooks = sqliteTable(
  "webhooks",
  {
    id: text("id").primaryKey(),
    accountId: text("account_id")
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    url: text("url").notNull(),
    /** JSON array of the events it wants. */
    events: text("events").notNull(),
    /** What its posts are signed with, `whsec_…`: a signature needs the secret itself. */
    secret: text("secret").notNull(),
    /** The secret before the last rotation, which signs too until `previousUntil`. */
    previousSecret: text("previous_secret"),
    previousUntil: instant("previous_until"),
    createdAt: instant("created_at").notNull(),
    disabledAt: instant("disabled_at"),
    disabledBecause: text("disabled_because", { enum: WEBHOOK_ENDS }),
    /** When the mail about its end is due; null if there is none to send. */
    mailDueAt: instant("mail_due_at"),
    mailTries: integer("mail_tries").notNull().default(0),
  },
  (t) => [
    index("webhooks_account").on(t.accountId, t.createdAt, t.id),
    index("webhooks_mail_due").on(t.mailDueAt).where(sql`${t.mailDueAt} is not null`),
    check("webhooks_events", sql`json_valid(${t.events})`),
    check("webhooks_end_whole", sql`(${t.disabledAt} is null) = (${t.disabledBecause} is null)`),
    check(
      "webhooks_end",
      sql`${t.disabledBecause} is null or ${oneOf(t.disabledBecause, WEBHOOK_ENDS)}`,
    ),
    check(
      "webhooks_rotation_whole",
      sql`(${t.previousSecret} is null) = (${t.previousUntil} is null)`,
    ),
  ],
);

/** An event as webhooks carry it, written in the transaction that makes the change. Kept for a week. */
export const webhookMessages = sqliteTable(
  "webhook_messages",
  {
    /** What `webhook-id` says. */
    id: text("id").primaryKey(),
    accountId: text("account_id")
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    /** The domain the event is about, with which the message is erased. */
    domainId: text("domain_id"),
    type: text("type").notNull(),
    /** JSON object of the ids concerned. */
    ids: text("ids").notNull(),
    /** The JSON that is posted. Null only inside the transaction that writes the event. */
    body: text("body"),
    at: instant("at").notNull(),
  },
  (t) => [
    index("webhook_messages_account").on(t.accountId),
    index("webhook_messages_domain").on(t.domainId),
    index("webhook_messages_age").on(t.at),
    index("webhook_messages_unwritten").on(t.id).where(sql`${t.body} is null`),
    check("webhook_messages_body", sql`${t.body} is null or json_valid(${t.body})`),
  ],
);

/** A message on its way to one webhook. */
export const webhookDeliveries = sqliteTable(
  "webhook_deliveries",
  {
    /** In the order of the events. */
    number: integer("number").primaryKey({ autoIncrement: true }),
    id: text("id").notNull().unique(),
    webhookId: text("webhook_id")
      .notNull()
      .references(() => webhooks.id, { onDelete: "cascade" }),
    messageId: text("message_id")
      .notNull()
      .references(() => webhookMessages.id, { onDelete: "cascade" }),
    /** Deliveries of one lane are made one after the other: a domain's id, or the delivery's own if it is made alone. */
    lane: text("lane").notNull(),
    createdAt: instant("created_at").notNull(),
    state: text("state", { enum: DELIVERY_STATES }).notNull().default("pending"),
    /** When the first pending delivery of a lane is due; null on those behind it and on ended ones. */
    dueAt: instant("due_at"),
    tries: integer("tries").notNull().default(0),
    triedAt: instant("tried_at"),
    /** The status the last try was answered with; null if there was no answer. */
    status: integer("status"),
    /** Why the last try had no answer, or why it was given up without one; else null. */
    reason: text("reason"),
    /** The beginning of the last answer, made visible. */
    answer: text("answer"),
    latencyMs: integer("latency_ms"),
  },
  (t) => [
    index("webhook_deliveries_due").on(t.webhookId, t.dueAt).where(sql`${t.dueAt} is not null`),
    index("webhook_deliveries_lane")
      .on(t.webhookId, t.lane, t.number)
      .where(sql`${t.state} = 'pending'`),
    index("webhook_deliveries_listing").on(t.webhookId, t.number),
    index("webhook_deliveries_message").on(t.messageId),
    check("webhook_deliveries_state", oneOf(t.state, DELIVERY_STATES)),
    check(
      "webhook_deliveries_due_while_pending",
      sql`${t.dueAt} is null or ${t.state} = 'pending'`,
    ),
  ],
);

/** When the service last ran, to the hour: a single row that the schedule updates. */
export const heartbeat = sqliteTable(
  "heartbeat",
  { id: integer("id").primaryKey(), at: instant("at").notNull() },
  (t) => [check("heartbeat_one", sql`${t.id} = 1`)],
);

/** Which node of a cluster is the primary, and since when: a single row that a promoted node replaces (db/term.ts). */
export const clusterTerm = sqliteTable(
  "cluster_term",
  {
    id: integer("id").primaryKey(),
    term: instant("term").notNull(),
    holder: text("holder").notNull(),
  },
  (t) => [check("cluster_term_one", sql`${t.id} = 1`)],
);

/**
 * Transparency logs, ended ones included: one origin, one key and one history each. The current one has no end
 * (app/services/log).
 */
export const logs = sqliteTable(
  "logs",
  {
    /** The last part of its origin: 8 random hexadecimal digits. */
    id: text("id").primaryKey(),
    origin: text("origin").notNull().unique(),
    /** Thumbprint of its key. */
    kid: text("kid").notNull(),
    /** How many entries it has. */
    size: integer("size").notNull().default(0),
    /** The entries before this one are covered by the checkpoint, or were appended to a later log. */
    settled: integer("settled").notNull().default(0),
    /** The newest checkpoint, and how many entries it covers. */
    checkpoint: text("checkpoint"),
    checkpointSize: integer("checkpoint_size").notNull().default(0),
    /** The stamp of the memory of what was signed (SignedTreeMemory). */
    stamp: text("stamp"),
    /** When the oldest entry that the checkpoint does not cover was appended. */
    waitingSince: instant("waiting_since"),
    begunAt: instant("begun_at").notNull(),
    endedAt: instant("ended_at"),
  },
  (t) => [
    uniqueIndex("logs_one_current")
      .on(sql`(${t.endedAt} is null)`)
      .where(sql`${t.endedAt} is null`),
    index("logs_unsettled").on(t.kid).where(sql`${t.settled} < ${t.size}`),
    check(
      "logs_sizes",
      sql`${t.checkpointSize} <= ${t.settled} and ${t.settled} <= ${t.size} and (${t.checkpoint} is not null or ${t.checkpointSize} = 0)`,
    ),
  ],
);

/** The entries of a log. WITHOUT ROWID, as are the next two (db/migrations/0013). */
export const logEntries = sqliteTable(
  "log_entries",
  {
    log: text("log").notNull(),
    index: integer("index").notNull(),
    entry: blob("entry", { mode: "buffer" }).notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.log, t.index] }),
    check("log_entries_length", sql`length(${t.entry}) = 32`),
  ],
);

/** The hashes of the complete subtrees of 2^level entries, from level 1 on. */
export const logHashes = sqliteTable(
  "log_hashes",
  {
    log: text("log").notNull(),
    level: integer("level").notNull(),
    index: integer("index").notNull(),
    hash: blob("hash", { mode: "buffer" }).notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.log, t.level, t.index] }),
    check("log_hashes_length", sql`length(${t.hash}) = 32`),
  ],
);

/** Entries that no checkpoint covered when their log ended, and where they were appended anew. */
export const logMoves = sqliteTable(
  "log_moves",
  {
    log: text("log").notNull(),
    index: integer("index").notNull(),
    toLog: text("to_log").notNull(),
    toIndex: integer("to_index").notNull(),
  },
  (t) => [primaryKey({ columns: [t.log, t.index] })],
);
