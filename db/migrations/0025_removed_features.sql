DROP TABLE `account_origins`;--> statement-breakpoint
CREATE TABLE `__new_account_events` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` text NOT NULL,
	`kind` text NOT NULL,
	`email` text,
	`user_agent` text DEFAULT '' NOT NULL,
	`domain_id` text,
	`subject` text,
	`at` integer NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`domain_id`) REFERENCES `domains`(`id`) ON UPDATE no action ON DELETE set null,
	CONSTRAINT "account_events_kind" CHECK("__new_account_events"."kind" in ('signed_in_by_link', 'signed_in_by_code', 'signed_in_by_provider', 'code_refused', 'signed_out', 'session_ended', 'signed_out_everywhere', 'proof_link_issued', 'proof_link_revoked', 'handoff_issued', 'handoff_revoked', 'mails_switched_on', 'mails_switched_off', 'identity_joined', 'person_invited', 'invitation_withdrawn', 'invitation_declined', 'person_joined', 'person_removed', 'person_left', 'account_disabled', 'account_enabled', 'key_created', 'key_rotated', 'key_revoked', 'webhook_added', 'webhook_changed', 'webhook_rotated', 'webhook_removed'))
);
--> statement-breakpoint
INSERT INTO `__new_account_events`("id", "account_id", "kind", "email", "user_agent", "domain_id", "subject", "at") SELECT "id", "account_id", "kind", "email", "user_agent", "domain_id", "subject", "at" FROM `account_events` WHERE `kind` NOT IN ('origin_registered', 'origin_removed');--> statement-breakpoint
DROP TABLE `account_events`;--> statement-breakpoint
ALTER TABLE `__new_account_events` RENAME TO `account_events`;--> statement-breakpoint
CREATE INDEX `account_events_account` ON `account_events` (`account_id`,`kind`,`id`);--> statement-breakpoint
CREATE INDEX `account_events_domain` ON `account_events` (`domain_id`);--> statement-breakpoint
CREATE INDEX `account_events_age` ON `account_events` (`at`);--> statement-breakpoint
CREATE TABLE `__new_receipts` (
	`claim_id` text PRIMARY KEY NOT NULL,
	`statement` text NOT NULL,
	`chain` blob,
	`evidence` text NOT NULL,
	`salt` blob NOT NULL,
	FOREIGN KEY (`claim_id`) REFERENCES `claims`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "receipts_evidence_json" CHECK(json_valid("__new_receipts"."evidence")),
	CONSTRAINT "receipts_salt" CHECK(length("__new_receipts"."salt") = 16)
);
--> statement-breakpoint
INSERT INTO `__new_receipts`("claim_id", "statement", "chain", "evidence", "salt") SELECT "claim_id", "statement", "chain", "evidence", "salt" FROM `receipts`;--> statement-breakpoint
DROP TABLE `receipts`;--> statement-breakpoint
ALTER TABLE `__new_receipts` RENAME TO `receipts`;--> statement-breakpoint
ALTER TABLE `signing_keys` DROP COLUMN `succession`;--> statement-breakpoint
DROP TABLE `log_entries`;--> statement-breakpoint
DROP TABLE `log_hashes`;--> statement-breakpoint
DROP TABLE `log_moves`;--> statement-breakpoint
DROP TABLE `logs`;
