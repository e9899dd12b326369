CREATE TABLE `api_keys` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`person_id` text NOT NULL,
	`name` text NOT NULL,
	`scopes` text NOT NULL,
	`addresses` text NOT NULL,
	`secret_hash` text NOT NULL,
	`previous_hash` text,
	`previous_until` integer,
	`previous_person_id` text,
	`created_at` integer NOT NULL,
	`rotated_at` integer,
	`expires_at` integer,
	`last_used_at` integer,
	`last_used_from` text,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`person_id`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`previous_person_id`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE set null,
	CONSTRAINT "api_keys_previous_whole" CHECK(("api_keys"."previous_hash" is null) = ("api_keys"."previous_until" is null)),
	CONSTRAINT "api_keys_order" CHECK("api_keys"."expires_at" is null or "api_keys"."expires_at" > "api_keys"."created_at"),
	CONSTRAINT "api_keys_used_whole" CHECK(("api_keys"."last_used_at" is null) = ("api_keys"."last_used_from" is null))
);
--> statement-breakpoint
CREATE INDEX `api_keys_account` ON `api_keys` (`account_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `api_keys_person` ON `api_keys` (`person_id`);--> statement-breakpoint
CREATE INDEX `api_keys_previous_person` ON `api_keys` (`previous_person_id`);--> statement-breakpoint
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
	CONSTRAINT "account_events_kind" CHECK("__new_account_events"."kind" in ('signed_in_by_link', 'signed_in_by_code', 'signed_in_by_provider', 'code_refused', 'signed_out', 'session_ended', 'signed_out_everywhere', 'proof_link_issued', 'proof_link_revoked', 'handoff_issued', 'handoff_revoked', 'mails_switched_on', 'mails_switched_off', 'identity_joined', 'person_invited', 'invitation_withdrawn', 'invitation_declined', 'person_joined', 'person_removed', 'person_left', 'account_disabled', 'account_enabled', 'key_created', 'key_rotated', 'key_revoked', 'webhook_added', 'webhook_changed', 'webhook_rotated', 'webhook_removed', 'origin_registered', 'origin_removed'))
);
--> statement-breakpoint
INSERT INTO `__new_account_events`("id", "account_id", "kind", "email", "user_agent", "domain_id", "subject", "at") SELECT "id", "account_id", "kind", "email", "user_agent", "domain_id", NULL, "at" FROM `account_events`;--> statement-breakpoint
DROP TABLE `account_events`;--> statement-breakpoint
ALTER TABLE `__new_account_events` RENAME TO `account_events`;--> statement-breakpoint
CREATE INDEX `account_events_account` ON `account_events` (`account_id`,`kind`,`id`);--> statement-breakpoint
CREATE INDEX `account_events_domain` ON `account_events` (`domain_id`);--> statement-breakpoint
CREATE INDEX `account_events_age` ON `account_events` (`at`);--> statement-breakpoint
-- A disabled account has no keys.
CREATE TRIGGER api_keys_not_disabled BEFORE INSERT ON api_keys
WHEN EXISTS (SELECT 1 FROM accounts WHERE id = NEW.account_id AND disabled_at IS NOT NULL) BEGIN
  SELECT RAISE(ABORT, 'api_keys_not_disabled');
END;
--> statement-breakpoint
CREATE TRIGGER api_keys_limit BEFORE INSERT ON api_keys
WHEN (SELECT count(*) FROM api_keys WHERE account_id = NEW.account_id) >= 20 BEGIN
  SELECT RAISE(ABORT, 'api_keys_limit');
END;
