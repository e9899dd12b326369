CREATE TABLE `handoff_mailboxes` (
	`id` text PRIMARY KEY NOT NULL,
	`mailbox_hash` text NOT NULL,
	`mailed_at` integer NOT NULL,
	`stopped_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `handoff_mailboxes_mailbox_hash_unique` ON `handoff_mailboxes` (`mailbox_hash`);--> statement-breakpoint
CREATE INDEX `handoff_mailboxes_age` ON `handoff_mailboxes` (`mailed_at`);