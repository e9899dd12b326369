CREATE TABLE `__new_webhook_messages` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`domain_id` text,
	`type` text NOT NULL,
	`body` text NOT NULL,
	`at` integer NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "webhook_messages_body" CHECK(json_valid("__new_webhook_messages"."body"))
);
--> statement-breakpoint
INSERT INTO `__new_webhook_messages`("id", "account_id", "domain_id", "type", "body", "at") SELECT "id", "account_id", "domain_id", "type", "body", "at" FROM `webhook_messages`;--> statement-breakpoint
DROP TABLE `webhook_messages`;--> statement-breakpoint
ALTER TABLE `__new_webhook_messages` RENAME TO `webhook_messages`;--> statement-breakpoint
CREATE INDEX `webhook_messages_account` ON `webhook_messages` (`account_id`);--> statement-breakpoint
CREATE INDEX `webhook_messages_domain` ON `webhook_messages` (`domain_id`);--> statement-breakpoint
CREATE INDEX `webhook_messages_age` ON `webhook_messages` (`at`);