CREATE TABLE `__new_webhooks` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`url` text NOT NULL,
	`url_by` text,
	`url_by_key` text,
	`events` text NOT NULL,
	`secret` text NOT NULL,
	`secret_by` text,
	`secret_by_key` text,
	`previous_secret` text,
	`previous_until` integer,
	`created_at` integer NOT NULL,
	`disabled_at` integer,
	`disabled_because` text,
	`mail_due_at` integer,
	`mail_tries` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`url_by`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE set null,
	FOREIGN KEY (`secret_by`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE set null,
	CONSTRAINT "webhooks_events" CHECK(json_valid("__new_webhooks"."events")),
	CONSTRAINT "webhooks_end_whole" CHECK(("__new_webhooks"."disabled_at" is null) = ("__new_webhooks"."disabled_because" is null)),
	CONSTRAINT "webhooks_end" CHECK("__new_webhooks"."disabled_because" is null or "__new_webhooks"."disabled_because" in ('holder', 'gone', 'failing', 'person_left', 'key_revoked')),
	CONSTRAINT "webhooks_rotation_whole" CHECK(("__new_webhooks"."previous_secret" is null) = ("__new_webhooks"."previous_until" is null))
);
--> statement-breakpoint
-- By which keys is not known of any so far.
INSERT INTO `__new_webhooks`("id", "account_id", "url", "url_by", "events", "secret", "secret_by", "previous_secret", "previous_until", "created_at", "disabled_at", "disabled_because", "mail_due_at", "mail_tries")
SELECT "id", "account_id", "url", "url_by", "events", "secret", "secret_by", "previous_secret", "previous_until", "created_at", "disabled_at", "disabled_because", "mail_due_at", "mail_tries" FROM `webhooks`;--> statement-breakpoint
DROP TABLE `webhooks`;--> statement-breakpoint
ALTER TABLE `__new_webhooks` RENAME TO `webhooks`;--> statement-breakpoint
CREATE INDEX `webhooks_account` ON `webhooks` (`account_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `webhooks_url_by` ON `webhooks` (`url_by`);--> statement-breakpoint
CREATE INDEX `webhooks_secret_by` ON `webhooks` (`secret_by`);--> statement-breakpoint
CREATE INDEX `webhooks_mail_due` ON `webhooks` (`mail_due_at`) WHERE "webhooks"."mail_due_at" is not null;