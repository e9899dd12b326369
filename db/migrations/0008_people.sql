CREATE TABLE `people` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`email` text NOT NULL,
	`oidc_issuer` text,
	`oidc_subject` text,
	`mail_proved_at` integer,
	`mail_enabled` integer DEFAULT true NOT NULL,
	`created_at` integer NOT NULL,
	`last_seen_at` integer,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "people_oidc_whole" CHECK(("people"."oidc_issuer" is null) = ("people"."oidc_subject" is null))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `people_email_unique` ON `people` (`email`);
--> statement-breakpoint
CREATE INDEX `people_account` ON `people` (`account_id`,`created_at`,`id`);
--> statement-breakpoint
CREATE UNIQUE INDEX `people_oidc` ON `people` (`oidc_issuer`,`oidc_subject`);
--> statement-breakpoint
-- migrateDatabase switches foreign keys off, without which a table that others refer to cannot be rebuilt.
-- Each account's own address is the first of its people.
INSERT INTO `people` (`id`, `account_id`, `email`, `oidc_issuer`, `oidc_subject`, `mail_proved_at`, `mail_enabled`, `created_at`, `last_seen_at`)
SELECT 'per_' || substr(`id`, 5), `id`, `email`, `oidc_issuer`, `oidc_subject`, `mail_proved_at`, `mail_enabled`, `created_at`,
	(SELECT max(`last_used_at`) FROM `sessions` WHERE `sessions`.`account_id` = `accounts`.`id`)
FROM `accounts`;
--> statement-breakpoint
CREATE TABLE `invitations` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`invited_by` text NOT NULL,
	`email` text NOT NULL,
	`token_hash` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`invited_by`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "invitations_order" CHECK("invitations"."expires_at" > "invitations"."created_at")
);
--> statement-breakpoint
CREATE UNIQUE INDEX `invitations_token_hash_unique` ON `invitations` (`token_hash`);
--> statement-breakpoint
CREATE INDEX `invitations_inviter` ON `invitations` (`invited_by`);
--> statement-breakpoint
CREATE INDEX `invitations_expiry` ON `invitations` (`expires_at`);
--> statement-breakpoint
CREATE UNIQUE INDEX `invitations_account_email` ON `invitations` (`account_id`,`email`);
--> statement-breakpoint
CREATE TABLE `mail_failures` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`at` integer NOT NULL,
	`domain` text NOT NULL,
	`reason` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `mail_failures_age` ON `mail_failures` (`at`);
--> statement-breakpoint
CREATE TABLE `notice_mails` (
	`notice_id` text NOT NULL,
	`person_id` text NOT NULL,
	`due_at` integer,
	`tries` integer DEFAULT 0 NOT NULL,
	`mailed_at` integer,
	PRIMARY KEY(`notice_id`, `person_id`),
	FOREIGN KEY (`notice_id`) REFERENCES `notices`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`person_id`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "notice_mails_once" CHECK("notice_mails"."due_at" is null or "notice_mails"."mailed_at" is null)
);
--> statement-breakpoint
CREATE INDEX `notice_mails_due` ON `notice_mails` (`due_at`) WHERE "notice_mails"."due_at" is not null;
--> statement-breakpoint
CREATE INDEX `notice_mails_mailed` ON `notice_mails` (`person_id`,`mailed_at`);
--> statement-breakpoint
CREATE TABLE `__new_sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`person_id` text NOT NULL,
	`token_hash` text NOT NULL,
	`user_agent` text DEFAULT '' NOT NULL,
	`created_at` integer NOT NULL,
	`last_used_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`person_id`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "sessions_order" CHECK("__new_sessions"."expires_at" > "__new_sessions"."created_at")
);
--> statement-breakpoint
INSERT INTO `__new_sessions`("id", "person_id", "token_hash", "user_agent", "created_at", "last_used_at", "expires_at") SELECT "id", 'per_' || substr("account_id", 5), "token_hash", "user_agent", "created_at", "last_used_at", "expires_at" FROM `sessions`;
--> statement-breakpoint
DROP TABLE `sessions`;
--> statement-breakpoint
ALTER TABLE `__new_sessions` RENAME TO `sessions`;
--> statement-breakpoint
CREATE UNIQUE INDEX `sessions_token_hash_unique` ON `sessions` (`token_hash`);
--> statement-breakpoint
CREATE INDEX `sessions_person` ON `sessions` (`person_id`);
--> statement-breakpoint
CREATE INDEX `sessions_expiry` ON `sessions` (`expires_at`);
--> statement-breakpoint
CREATE TABLE `__new_account_events` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` text NOT NULL,
	`kind` text NOT NULL,
	`email` text,
	`user_agent` text DEFAULT '' NOT NULL,
	`domain_id` text,
	`at` integer NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`domain_id`) REFERENCES `domains`(`id`) ON UPDATE no action ON DELETE set null,
	CONSTRAINT "account_events_kind" CHECK("__new_account_events"."kind" in ('signed_in_by_link', 'signed_in_by_code', 'signed_in_by_provider', 'code_refused', 'signed_out', 'session_ended', 'signed_out_everywhere', 'proof_link_issued', 'proof_link_revoked', 'handoff_issued', 'handoff_revoked', 'mails_switched_on', 'mails_switched_off', 'identity_joined', 'person_invited', 'invitation_withdrawn', 'invitation_declined', 'person_joined', 'person_removed', 'person_left', 'account_disabled', 'account_enabled'))
);
--> statement-breakpoint
INSERT INTO `__new_account_events`("id", "account_id", "kind", "email", "user_agent", "domain_id", "at") SELECT "id", "account_id", "kind", NULL, "user_agent", "domain_id", "at" FROM `account_events`;
--> statement-breakpoint
DROP TABLE `account_events`;
--> statement-breakpoint
ALTER TABLE `__new_account_events` RENAME TO `account_events`;
--> statement-breakpoint
CREATE INDEX `account_events_account` ON `account_events` (`account_id`,`kind`,`id`);
--> statement-breakpoint
CREATE INDEX `account_events_domain` ON `account_events` (`domain_id`);
--> statement-breakpoint
CREATE INDEX `account_events_age` ON `account_events` (`at`);
--> statement-breakpoint
CREATE TABLE `__new_accounts` (
	`id` text PRIMARY KEY NOT NULL,
	`email` text NOT NULL,
	`created_at` integer NOT NULL,
	`disabled_at` integer
);
--> statement-breakpoint
INSERT INTO `__new_accounts`("id", "email", "created_at", "disabled_at") SELECT "id", "email", "created_at", NULL FROM `accounts`;
--> statement-breakpoint
DROP TABLE `accounts`;
--> statement-breakpoint
ALTER TABLE `__new_accounts` RENAME TO `accounts`;
--> statement-breakpoint
CREATE UNIQUE INDEX `accounts_email_unique` ON `accounts` (`email`);
--> statement-breakpoint
CREATE INDEX `accounts_listing` ON `accounts` (`created_at`,`id`);
--> statement-breakpoint
INSERT INTO `notice_mails` (`notice_id`, `person_id`, `due_at`, `tries`, `mailed_at`)
SELECT `id`, 'per_' || substr(`account_id`, 5), `mail_due_at`, `mail_tries`, `mailed_at` FROM `notices`
WHERE `mail_due_at` IS NOT NULL OR `mailed_at` IS NOT NULL OR `mail_tries` > 0;
--> statement-breakpoint
CREATE TABLE `__new_notices` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`kind` text NOT NULL,
	`domain_id` text NOT NULL,
	`claim_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`read_at` integer,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`domain_id`) REFERENCES `domains`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`claim_id`) REFERENCES `claims`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "notices_kind" CHECK("__new_notices"."kind" in ('proved', 'nudge', 'expiring', 'expired', 'coexistence'))
);
--> statement-breakpoint
INSERT INTO `__new_notices`("id", "account_id", "kind", "domain_id", "claim_id", "created_at", "read_at") SELECT "id", "account_id", "kind", "domain_id", "claim_id", "created_at", "read_at" FROM `notices`;
--> statement-breakpoint
DROP TABLE `notices`;
--> statement-breakpoint
ALTER TABLE `__new_notices` RENAME TO `notices`;
--> statement-breakpoint
CREATE INDEX `notices_account` ON `notices` (`account_id`,`created_at`,`id`);
--> statement-breakpoint
CREATE INDEX `notices_domain` ON `notices` (`domain_id`);
--> statement-breakpoint
CREATE INDEX `notices_claim_kind` ON `notices` (`claim_id`,`kind`,`created_at`);
--> statement-breakpoint
CREATE INDEX `attempts_unresolvable` ON `attempts` (`at`) WHERE "attempts"."outcome" = 'unresolvable';
--> statement-breakpoint
CREATE TRIGGER accounts_counts_start AFTER INSERT ON accounts BEGIN
  INSERT INTO domain_counts (account_id) VALUES (NEW.id);
END;
--> statement-breakpoint
-- A holder is told of a thing once a day at most.
CREATE TRIGGER notices_once_a_day BEFORE INSERT ON notices
WHEN EXISTS (
  SELECT 1 FROM notices
  WHERE claim_id = NEW.claim_id AND kind = NEW.kind AND created_at > NEW.created_at - 86400000
) BEGIN
  SELECT RAISE(ABORT, 'notices_once_a_day');
END;
--> statement-breakpoint
CREATE TRIGGER accounts_first_person AFTER INSERT ON accounts BEGIN
  INSERT INTO people (id, account_id, email, created_at)
  VALUES ('per_' || substr(NEW.id, 5), NEW.id, NEW.email, NEW.created_at);
END;
--> statement-breakpoint
-- Proofs name the account's address, so it never changes, and it stays as long as the account does.
CREATE TRIGGER accounts_address_is_final BEFORE UPDATE OF id, email ON accounts BEGIN
  SELECT RAISE(ABORT, 'accounts_address_is_final');
END;
--> statement-breakpoint
CREATE TRIGGER people_address_is_final BEFORE UPDATE OF id, account_id, email ON people BEGIN
  SELECT RAISE(ABORT, 'people_address_is_final');
END;
--> statement-breakpoint
CREATE TRIGGER people_first_stays BEFORE DELETE ON people
WHEN EXISTS (SELECT 1 FROM accounts WHERE id = OLD.account_id AND email = OLD.email) BEGIN
  SELECT RAISE(ABORT, 'people_first_stays');
END;
--> statement-breakpoint
-- Twenty besides the first address, those invited included.
CREATE TRIGGER people_limit BEFORE INSERT ON people
WHEN (SELECT count(*) FROM people WHERE account_id = NEW.account_id) > 20 BEGIN
  SELECT RAISE(ABORT, 'people_limit');
END;
--> statement-breakpoint
CREATE TRIGGER invitations_limit BEFORE INSERT ON invitations
WHEN (SELECT count(*) FROM people WHERE account_id = NEW.account_id)
  + (SELECT count(*) FROM invitations WHERE account_id = NEW.account_id) > 20 BEGIN
  SELECT RAISE(ABORT, 'people_limit');
END;
--> statement-breakpoint
-- Nobody comes into a disabled account.
CREATE TRIGGER sessions_not_disabled BEFORE INSERT ON sessions
WHEN EXISTS (
  SELECT 1 FROM people p JOIN accounts a ON a.id = p.account_id
  WHERE p.id = NEW.person_id AND a.disabled_at IS NOT NULL
) BEGIN
  SELECT RAISE(ABORT, 'sessions_not_disabled');
END;
--> statement-breakpoint
CREATE TABLE `__references` (`broken` integer CHECK (`broken` = 0));
--> statement-breakpoint
INSERT INTO `__references` SELECT count(*) FROM pragma_foreign_key_check;
--> statement-breakpoint
DROP TABLE `__references`;
