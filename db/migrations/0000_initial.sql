CREATE TABLE `accounts` (
	`id` text PRIMARY KEY NOT NULL,
	`email` text NOT NULL,
	`oidc_issuer` text,
	`oidc_subject` text,
	`mail_enabled` integer DEFAULT true NOT NULL,
	`created_at` integer NOT NULL,
	CONSTRAINT "accounts_oidc_whole" CHECK(("accounts"."oidc_issuer" is null) = ("accounts"."oidc_subject" is null))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `accounts_email_unique` ON `accounts` (`email`);--> statement-breakpoint
CREATE UNIQUE INDEX `accounts_oidc` ON `accounts` (`oidc_issuer`,`oidc_subject`);--> statement-breakpoint
CREATE TABLE `attempt_evidence` (
	`attempt_id` text PRIMARY KEY NOT NULL,
	`evidence` text NOT NULL,
	`trimmed` integer DEFAULT false NOT NULL,
	`at` integer NOT NULL,
	FOREIGN KEY (`attempt_id`) REFERENCES `attempts`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "attempt_evidence_json" CHECK(json_valid("attempt_evidence"."evidence"))
);
--> statement-breakpoint
CREATE INDEX `attempt_evidence_to_trim` ON `attempt_evidence` (`at`) WHERE "attempt_evidence"."trimmed" = 0;--> statement-breakpoint
CREATE TABLE `attempts` (
	`id` text PRIMARY KEY NOT NULL,
	`verification_id` text NOT NULL,
	`trigger` text NOT NULL,
	`outcome` text NOT NULL,
	`diagnosis` text,
	`latency_ms` integer,
	`at` integer NOT NULL,
	FOREIGN KEY (`verification_id`) REFERENCES `verifications`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "attempts_trigger" CHECK("attempts"."trigger" in ('first_check', 'scheduled', 'requested', 'deadline')),
	CONSTRAINT "attempts_outcome" CHECK("attempts"."outcome" in ('found', 'absent', 'unresolvable')),
	CONSTRAINT "attempts_diagnosis_of_absent" CHECK("attempts"."diagnosis" is null or "attempts"."outcome" = 'absent')
);
--> statement-breakpoint
CREATE INDEX `attempts_story` ON `attempts` (`verification_id`,`at`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `attempts_one_found` ON `attempts` (`verification_id`) WHERE "attempts"."outcome" = 'found';--> statement-breakpoint
CREATE TABLE `change_feed` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` text NOT NULL,
	`type` text NOT NULL,
	`ids` text NOT NULL,
	`at` integer NOT NULL,
	CONSTRAINT "change_feed_type" CHECK("change_feed"."type" in ('verification.ran', 'claim.opened', 'claim.ended', 'domain.archived', 'domain.unarchived', 'domain.created', 'domain.deleted', 'proof_link.issued', 'proof_link.revoked', 'notice.created')),
	CONSTRAINT "change_feed_ids" CHECK(json_valid("change_feed"."ids"))
);
--> statement-breakpoint
CREATE INDEX `change_feed_account` ON `change_feed` (`account_id`,`id`);--> statement-breakpoint
CREATE INDEX `change_feed_age` ON `change_feed` (`at`);--> statement-breakpoint
CREATE TABLE `claims` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`domain_id` text NOT NULL,
	`name` text NOT NULL,
	`state` text DEFAULT 'pending' NOT NULL,
	`token` text NOT NULL,
	`challenge_label` text NOT NULL,
	`provider` text,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`ended_at` integer,
	`next_notice_at` integer,
	FOREIGN KEY (`domain_id`,`account_id`) REFERENCES `domains`(`id`,`account_id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "claims_state" CHECK("claims"."state" in ('pending', 'proved', 'expired', 'canceled')),
	CONSTRAINT "claims_end_has_a_date" CHECK(("claims"."state" = 'pending') = ("claims"."ended_at" is null)),
	CONSTRAINT "claims_expired_at_deadline" CHECK("claims"."state" <> 'expired' or "claims"."ended_at" = "claims"."expires_at"),
	CONSTRAINT "claims_proved_in_window" CHECK("claims"."state" <> 'proved' or "claims"."ended_at" <= "claims"."expires_at"),
	CONSTRAINT "claims_notice_while_open" CHECK("claims"."next_notice_at" is null or "claims"."state" = 'pending'),
	CONSTRAINT "claims_window" CHECK("claims"."expires_at" > "claims"."created_at"),
	CONSTRAINT "claims_provider" CHECK("claims"."provider" is null or ("claims"."state" = 'proved' and "claims"."provider" in ('cloudflare', 'route53', 'godaddy', 'namecheap', 'google-domains', 'vercel', 'other')))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `claims_token_unique` ON `claims` (`token`);--> statement-breakpoint
CREATE UNIQUE INDEX `claims_one_open` ON `claims` (`domain_id`) WHERE "claims"."state" = 'pending';--> statement-breakpoint
CREATE INDEX `claims_account` ON `claims` (`account_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `claims_domain_history` ON `claims` (`domain_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `claims_proofs_of_name` ON `claims` (`name`,`ended_at`) WHERE "claims"."state" = 'proved';--> statement-breakpoint
CREATE INDEX `claims_deadline` ON `claims` (`expires_at`) WHERE "claims"."state" = 'pending';--> statement-breakpoint
CREATE INDEX `claims_open_of_account` ON `claims` (`account_id`,`expires_at`) WHERE "claims"."state" = 'pending';--> statement-breakpoint
CREATE INDEX `claims_notice_due` ON `claims` (`next_notice_at`) WHERE "claims"."next_notice_at" is not null;--> statement-breakpoint
CREATE TABLE `domain_counts` (
	`account_id` text PRIMARY KEY NOT NULL,
	`unclaimed` integer DEFAULT 0 NOT NULL,
	`pending` integer DEFAULT 0 NOT NULL,
	`proved` integer DEFAULT 0 NOT NULL,
	`expired` integer DEFAULT 0 NOT NULL,
	`canceled` integer DEFAULT 0 NOT NULL,
	`archived` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `domains` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`name` text NOT NULL,
	`unicode_name` text NOT NULL,
	`archived` integer DEFAULT false NOT NULL,
	`status` text DEFAULT 'unclaimed' NOT NULL,
	`claim_id` text,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "domains_status" CHECK("domains"."status" in ('unclaimed', 'pending', 'proved', 'expired', 'canceled')),
	CONSTRAINT "domains_claim_in_play" CHECK(("domains"."status" = 'unclaimed') = ("domains"."claim_id" is null)),
	CONSTRAINT "domains_archived_closed" CHECK(not ("domains"."archived" = 1 and "domains"."status" = 'pending')),
	CONSTRAINT "domains_name_length" CHECK(length("domains"."name") between 1 and 253)
);
--> statement-breakpoint
CREATE INDEX `domains_listing` ON `domains` (`account_id`,`archived`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `domains_listing_status` ON `domains` (`account_id`,`archived`,`status`,`created_at`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `domains_account_name` ON `domains` (`account_id`,`name`);--> statement-breakpoint
CREATE UNIQUE INDEX `domains_id_account` ON `domains` (`id`,`account_id`);--> statement-breakpoint
CREATE TABLE `notices` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`kind` text NOT NULL,
	`domain_id` text NOT NULL,
	`claim_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`read_at` integer,
	`mail_due_at` integer,
	`mail_tries` integer DEFAULT 0 NOT NULL,
	`mailed_at` integer,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`domain_id`) REFERENCES `domains`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`claim_id`) REFERENCES `claims`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "notices_kind" CHECK("notices"."kind" in ('proved', 'nudge', 'expiring', 'expired', 'coexistence')),
	CONSTRAINT "notices_mailed_once" CHECK("notices"."mail_due_at" is null or "notices"."mailed_at" is null)
);
--> statement-breakpoint
CREATE INDEX `notices_account` ON `notices` (`account_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `notices_domain` ON `notices` (`domain_id`);--> statement-breakpoint
CREATE INDEX `notices_claim_kind` ON `notices` (`claim_id`,`kind`,`created_at`);--> statement-breakpoint
CREATE INDEX `notices_mail_due` ON `notices` (`mail_due_at`) WHERE "notices"."mail_due_at" is not null;--> statement-breakpoint
CREATE INDEX `notices_mailed` ON `notices` (`account_id`,`mailed_at`) WHERE "notices"."mailed_at" is not null;--> statement-breakpoint
CREATE TABLE `proof_links` (
	`slug` text PRIMARY KEY NOT NULL,
	`claim_id` text NOT NULL,
	`issued_at` integer NOT NULL,
	`revoked_at` integer,
	FOREIGN KEY (`claim_id`) REFERENCES `claims`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "proof_links_order" CHECK("proof_links"."revoked_at" is null or "proof_links"."revoked_at" >= "proof_links"."issued_at")
);
--> statement-breakpoint
CREATE UNIQUE INDEX `proof_links_one_live` ON `proof_links` (`claim_id`) WHERE "proof_links"."revoked_at" is null;--> statement-breakpoint
CREATE INDEX `proof_links_claim` ON `proof_links` (`claim_id`,`issued_at`);--> statement-breakpoint
CREATE TABLE `sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`token_hash` text NOT NULL,
	`user_agent` text DEFAULT '' NOT NULL,
	`created_at` integer NOT NULL,
	`last_used_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "sessions_order" CHECK("sessions"."expires_at" > "sessions"."created_at")
);
--> statement-breakpoint
CREATE UNIQUE INDEX `sessions_token_hash_unique` ON `sessions` (`token_hash`);--> statement-breakpoint
CREATE INDEX `sessions_account` ON `sessions` (`account_id`);--> statement-breakpoint
CREATE INDEX `sessions_expiry` ON `sessions` (`expires_at`);--> statement-breakpoint
CREATE TABLE `sign_in_links` (
	`id` text PRIMARY KEY NOT NULL,
	`token_hash` text NOT NULL,
	`code_hash` text NOT NULL,
	`code_tries` integer DEFAULT 0 NOT NULL,
	`email` text NOT NULL,
	`callback_path` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`consumed_at` integer,
	CONSTRAINT "sign_in_links_code_tries" CHECK("sign_in_links"."code_tries" between 0 and 5),
	CONSTRAINT "sign_in_links_path" CHECK("sign_in_links"."callback_path" like '/%')
);
--> statement-breakpoint
CREATE UNIQUE INDEX `sign_in_links_token_hash_unique` ON `sign_in_links` (`token_hash`);--> statement-breakpoint
CREATE INDEX `sign_in_links_email` ON `sign_in_links` (`email`,`created_at`);--> statement-breakpoint
CREATE INDEX `sign_in_links_expiry` ON `sign_in_links` (`expires_at`);--> statement-breakpoint
CREATE TABLE `verifications` (
	`id` text PRIMARY KEY NOT NULL,
	`claim_id` text NOT NULL,
	`account_id` text NOT NULL,
	`status` text DEFAULT 'checking' NOT NULL,
	`last_outcome` text,
	`diagnosis` text,
	`wait_reason` text,
	`wait_until` integer,
	`last_run_at` integer,
	`next_run_at` integer,
	`deadline` integer NOT NULL,
	`created_at` integer NOT NULL,
	`run_id` text,
	`run_until` integer,
	`zone` text,
	`provider` text,
	`first_serial` integer,
	`partial_since` integer,
	`failures` integer DEFAULT 0 NOT NULL,
	`fast_until` integer,
	`fast_day` integer,
	`fast_count` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`claim_id`) REFERENCES `claims`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "verifications_status" CHECK("verifications"."status" in ('checking', 'propagating', 'needs_attention', 'proved', 'exhausted', 'stopped')),
	CONSTRAINT "verifications_outcome" CHECK("verifications"."last_outcome" is null or "verifications"."last_outcome" in ('found', 'absent', 'unresolvable')),
	CONSTRAINT "verifications_wait_reason" CHECK("verifications"."wait_reason" is null or "verifications"."wait_reason" in ('first_check', 'negative_cache', 'nameserver_sync', 'retry')),
	CONSTRAINT "verifications_provider" CHECK("verifications"."provider" is null or "verifications"."provider" in ('cloudflare', 'route53', 'godaddy', 'namecheap', 'google-domains', 'vercel', 'other')),
	CONSTRAINT "verifications_diagnosis_or_wait" CHECK(("verifications"."diagnosis" is not null) + ("verifications"."wait_reason" is not null) = ("verifications"."status" <> 'proved')),
	CONSTRAINT "verifications_wait_whole" CHECK(("verifications"."wait_reason" is null) = ("verifications"."wait_until" is null)),
	CONSTRAINT "verifications_status_means" CHECK(case "verifications"."status"
        when 'checking' then ifnull("verifications"."wait_reason", '') in ('first_check', 'retry')
        when 'propagating' then ifnull("verifications"."wait_reason", '') in ('negative_cache', 'nameserver_sync')
        when 'needs_attention' then "verifications"."diagnosis" is not null
        else 1 end),
	CONSTRAINT "verifications_runs_while_open" CHECK(("verifications"."status" in ('checking', 'propagating', 'needs_attention')) = ("verifications"."next_run_at" is not null)),
	CONSTRAINT "verifications_next_before_deadline" CHECK("verifications"."next_run_at" is null or "verifications"."next_run_at" <= "verifications"."deadline"),
	CONSTRAINT "verifications_run_whole" CHECK(("verifications"."run_id" is null) = ("verifications"."run_until" is null)),
	CONSTRAINT "verifications_run_while_open" CHECK("verifications"."run_id" is null or "verifications"."next_run_at" is not null)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `verifications_claim_id_unique` ON `verifications` (`claim_id`);--> statement-breakpoint
CREATE INDEX `verifications_due` ON `verifications` (`next_run_at`,`deadline`,`run_until`) WHERE "verifications"."next_run_at" is not null;--> statement-breakpoint
CREATE INDEX `verifications_account` ON `verifications` (`account_id`,`created_at`);