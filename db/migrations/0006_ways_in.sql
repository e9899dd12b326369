CREATE TABLE `account_events` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` text NOT NULL,
	`kind` text NOT NULL,
	`user_agent` text DEFAULT '' NOT NULL,
	`domain_id` text,
	`at` integer NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`domain_id`) REFERENCES `domains`(`id`) ON UPDATE no action ON DELETE set null,
	CONSTRAINT "account_events_kind" CHECK("account_events"."kind" in ('signed_in_by_link', 'signed_in_by_code', 'signed_in_by_provider', 'code_refused', 'signed_out', 'session_ended', 'signed_out_everywhere', 'proof_link_issued', 'proof_link_revoked', 'handoff_issued', 'handoff_revoked', 'mails_switched_on', 'mails_switched_off', 'identity_joined'))
);
--> statement-breakpoint
CREATE INDEX `account_events_account` ON `account_events` (`account_id`,`kind`,`id`);--> statement-breakpoint
CREATE INDEX `account_events_domain` ON `account_events` (`domain_id`);--> statement-breakpoint
CREATE INDEX `account_events_age` ON `account_events` (`at`);--> statement-breakpoint
ALTER TABLE `accounts` ADD `mail_proved_at` integer;--> statement-breakpoint
ALTER TABLE `sign_in_links` ADD `browser_hash` text;--> statement-breakpoint
-- Who never came by an identity provider came by mail. Of the others it is not known whether they ever did.
UPDATE `accounts` SET `mail_proved_at` = `created_at` WHERE `oidc_issuer` IS NULL;
