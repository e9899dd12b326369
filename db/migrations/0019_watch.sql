CREATE TABLE `watches` (
	`claim_id` text PRIMARY KEY NOT NULL,
	`purpose` text NOT NULL,
	`state` text DEFAULT 'published' NOT NULL,
	`started_at` integer NOT NULL,
	`seen_at` integer NOT NULL,
	`checked_at` integer,
	`missing_since` integer,
	`finding` text,
	`finding_since` integer,
	`told` text NOT NULL,
	`zone` text,
	`nameservers` text NOT NULL,
	`next_read_at` integer,
	`run_id` text,
	`run_until` integer,
	`slug` text NOT NULL,
	FOREIGN KEY (`claim_id`) REFERENCES `claims`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "watches_purpose" CHECK("watches"."purpose" in ('watch', 'removal')),
	CONSTRAINT "watches_state" CHECK("watches"."state" in ('published', 'missing', 'lapsed', 'moved', 'gone')),
	CONSTRAINT "watches_finding" CHECK("watches"."finding" is null or "watches"."finding" in ('absent', 'moved', 'gone')),
	CONSTRAINT "watches_finding_whole" CHECK(("watches"."finding" is null) = ("watches"."finding_since" is null) and ("watches"."finding" is null) = ("watches"."missing_since" is null)),
	CONSTRAINT "watches_published" CHECK("watches"."state" = 'published' or "watches"."missing_since" is not null),
	CONSTRAINT "watches_run_whole" CHECK(("watches"."run_id" is null) = ("watches"."run_until" is null)),
	CONSTRAINT "watches_read_while_watched" CHECK("watches"."purpose" <> 'watch' or "watches"."next_read_at" is not null),
	CONSTRAINT "watches_lists" CHECK(json_valid("watches"."told") and json_valid("watches"."nameservers"))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `watches_slug_unique` ON `watches` (`slug`);--> statement-breakpoint
CREATE INDEX `watches_due` ON `watches` (`next_read_at`,`run_until`) WHERE "watches"."next_read_at" is not null;--> statement-breakpoint
CREATE INDEX `watches_watched` ON `watches` (`claim_id`) WHERE "watches"."purpose" = 'watch';--> statement-breakpoint
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
	CONSTRAINT "notices_kind" CHECK("__new_notices"."kind" in ('proved', 'nudge', 'expiring', 'expired', 'coexistence', 'missing', 'lapsed', 'moved', 'gone'))
);
--> statement-breakpoint
INSERT INTO `__new_notices`("id", "account_id", "kind", "domain_id", "claim_id", "created_at", "read_at") SELECT "id", "account_id", "kind", "domain_id", "claim_id", "created_at", "read_at" FROM `notices`;--> statement-breakpoint
DROP TABLE `notices`;--> statement-breakpoint
ALTER TABLE `__new_notices` RENAME TO `notices`;--> statement-breakpoint
CREATE INDEX `notices_account` ON `notices` (`account_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `notices_domain` ON `notices` (`domain_id`);--> statement-breakpoint
CREATE INDEX `notices_claim_kind` ON `notices` (`claim_id`,`kind`,`created_at`);
--> statement-breakpoint
CREATE TRIGGER notices_once_a_day BEFORE INSERT ON notices
WHEN EXISTS (
  SELECT 1 FROM notices
  WHERE claim_id = NEW.claim_id AND kind = NEW.kind AND created_at > NEW.created_at - 86400000
) BEGIN
  SELECT RAISE(ABORT, 'notices_once_a_day');
END;
