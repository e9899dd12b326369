import { sql } from "drizzle-orm";
import {
  blob,
  check,
  foreignKey,
  index,
  integer,
  sqliteTable,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";
import { bothOrNeither, enums, flag, instant, oneOf, ownerId } from "./columns.ts";
import { CLAIM_STATES, domains } from "./domains.ts";

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

export const PROVIDERS = [
  "cloudflare",
  "route53",
  "godaddy",
  "namecheap",
  "google-domains",
  "vercel",
  "other",
] as const;

export const claims = sqliteTable(
  "claims",
  {
    id: text("id").primaryKey(),
    accountId: text("account_id").notNull(),
    domainId: text("domain_id").notNull(),
    /** ASCII name, copied from the domain: recency and coexistence look it up across accounts. */
    name: text("name").notNull(),
    reference: text("reference").notNull().default(""),
    state: text("state", { enum: CLAIM_STATES }).notNull().default("pending"),
    token: text("token").notNull().unique(),
    /** Opens the commitment to the holder's address: 32 random octets. Null for a claim of an older version, until its receipt is issued. */
    salt: blob("salt", { mode: "buffer" }),
    /** 32 random octets in the token, which is a hash; null if the token is older than this form. */
    nonce: blob("nonce", { mode: "buffer" }),
    challengeLabel: text("challenge_label").notNull(),
    provider: text("provider", { enum: PROVIDERS }),
    /** JSON of a NameserverCount (packages/dns/verdict/publication-status.ts); null if unknown. */
    nameservers: text("nameservers"),
    createdAt: instant("created_at").notNull(),
    expiresAt: instant("expires_at").notNull(),
    endedAt: instant("ended_at"),
    provedAt: instant("proved_at").generatedAlwaysAs(
      sql`case state when 'proved' then ended_at end`,
      { mode: "virtual" },
    ),
    nextNoticeAt: instant("next_notice_at"),
    /** Whether to watch the record from the proof on. */
    watchProof: flag("watch_proof").notNull().default(false),
    watchHourly: flag("watch_hourly").notNull().default(false),
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
    ...enums("claims", { state: t.state }),
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

/** When a read is due: the next scheduled one, or an earlier second read (C8.10), whose time is kept secret. */
export const READ_DUE_AT =
  "case when second_read_at > last_run_at and second_read_at < next_run_at then second_read_at else next_run_at end";
export const readDueAt = sql<number | null>`${sql.raw(READ_DUE_AT)}`;

export const verifications = sqliteTable(
  "verifications",
  {
    id: text("id").primaryKey(),
    claimId: ownerId("claim_id", () => claims.id).unique(),
    accountId: text("account_id").notNull(),
    status: text("status", { enum: VERIFICATION_STATUSES }).notNull().default("checking"),
    lastOutcome: text("last_outcome", { enum: OUTCOMES }),
    /** JSON of a Diagnosis (packages/dns/verdict/diagnosis.ts): code, observed, awaits; never sentences. */
    diagnosis: text("diagnosis"),
    waitReason: text("wait_reason", { enum: WAIT_REASONS }),
    waitUntil: instant("wait_until"),
    /** JSON of a Publication (packages/dns/verdict/diagnosis.ts), if a read has shown it. */
    waitObserved: text("wait_observed"),
    lastRunAt: instant("last_run_at"),
    nextRunAt: instant("next_run_at"),
    deadline: instant("deadline").notNull(),
    createdAt: instant("created_at").notNull(),

    /** The lease of the running read: its attempt id, and when the lease ends. */
    runId: text("run_id"),
    runUntil: instant("run_until"),

    /** State passed from one read to the next. */
    zone: text("zone"),
    provider: text("provider", { enum: PROVIDERS }),
    firstSerial: integer("first_serial"),
    serialSince: instant("serial_since"),
    partialSince: instant("partial_since"),
    resolversDue: instant("resolvers_due"),
    secondReadAt: instant("second_read_at"),
    /** JSON of what reads saw since the verdict last changed (packages/dns/verdict/evidence.ts). */
    seen: text("seen"),
    failures: integer("failures").notNull().default(0),
    fastUntil: instant("fast_until"),
    fastDay: integer("fast_day"),
    /** How much of that day's fast time is used. */
    fastMs: integer("fast_count").notNull().default(0),
  },
  (t) => [
    index("verifications_due")
      .on(readDueAt, t.deadline, t.runUntil)
      .where(sql`${readDueAt} is not null`),
    index("verifications_account").on(t.accountId, t.createdAt),
    index("verifications_needs_attention")
      .on(t.accountId, t.createdAt, t.id)
      .where(sql`${t.status} = 'needs_attention'`),
    ...enums("verifications", { status: t.status, outcome: t.lastOutcome, provider: t.provider }),
    ...enums("verifications", { wait_reason: t.waitReason }),
    check(
      "verifications_diagnosis_or_wait",
      sql`(${t.diagnosis} is not null) + (${t.waitReason} is not null) = (${t.status} <> 'proved')`,
    ),
    bothOrNeither("verifications_wait_whole", t.waitReason, t.waitUntil),
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
    bothOrNeither("verifications_run_whole", t.runId, t.runUntil),
    check("verifications_run_while_open", sql`${t.runId} is null or ${t.nextRunAt} is not null`),
  ],
);

export const attempts = sqliteTable(
  "attempts",
  {
    id: text("id").primaryKey(),
    verificationId: ownerId("verification_id", () => verifications.id),
    trigger: text("trigger", { enum: TRIGGERS }).notNull(),
    outcome: text("outcome", { enum: OUTCOMES }).notNull(),
    /** The diagnosis as JSON; null if there is none, or if the attempt in `sameAs` has it. */
    diagnosis: text("diagnosis"),
    latencyMs: integer("latency_ms"),
    at: instant("at").notNull(),
    /** An earlier attempt that saw the same and whose evidence counts for both; null if this attempt has its own. */
    sameAs: text("same_as"),
  },
  (t) => [
    index("attempts_story").on(t.verificationId, t.at, t.id),
    index("attempts_unresolvable").on(t.at).where(sql`${t.outcome} = 'unresolvable'`),
    uniqueIndex("attempts_one_found").on(t.verificationId).where(sql`${t.outcome} = 'found'`),
    ...enums("attempts", { trigger: t.trigger, outcome: t.outcome }),
    check("attempts_diagnosis_of_absent", sql`${t.diagnosis} is null or ${t.outcome} = 'absent'`),
  ],
);

/** What one attempt saw, and later attempts with the same result. Reduced to a summary after 30 days. */
export const attemptEvidence = sqliteTable(
  "attempt_evidence",
  {
    attemptId: ownerId("attempt_id", () => attempts.id).primaryKey(),
    /** JSON of an Evidence (packages/dns/verdict/observation.ts), or of its summary once trimmed. */
    evidence: text("evidence").notNull(),
    trimmed: flag("trimmed").notNull().default(false),
    at: instant("at").notNull(),
  },
  (t) => [
    index("attempt_evidence_to_trim").on(t.at).where(sql`${t.trimmed} = 0`),
    check("attempt_evidence_json", sql`json_valid(${t.evidence})`),
  ],
);
