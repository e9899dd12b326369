CREATE TABLE `webhook_deliveries` (
	`number` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`webhook_id` text NOT NULL,
	`message_id` text NOT NULL,
	`lane` text NOT NULL,
	`created_at` integer NOT NULL,
	`state` text DEFAULT 'pending' NOT NULL,
	`due_at` integer,
	`tries` integer DEFAULT 0 NOT NULL,
	`tried_at` integer,
	`status` integer,
	`reason` text,
	`answer` text,
	`latency_ms` integer,
	FOREIGN KEY (`webhook_id`) REFERENCES `webhooks`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`message_id`) REFERENCES `webhook_messages`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "webhook_deliveries_state" CHECK("webhook_deliveries"."state" in ('pending', 'delivered', 'failed')),
	CONSTRAINT "webhook_deliveries_due_while_pending" CHECK("webhook_deliveries"."due_at" is null or "webhook_deliveries"."state" = 'pending')
);
--> statement-breakpoint
CREATE UNIQUE INDEX `webhook_deliveries_id_unique` ON `webhook_deliveries` (`id`);--> statement-breakpoint
CREATE INDEX `webhook_deliveries_due` ON `webhook_deliveries` (`webhook_id`,`due_at`) WHERE "webhook_deliveries"."due_at" is not null;--> statement-breakpoint
CREATE INDEX `webhook_deliveries_lane` ON `webhook_deliveries` (`webhook_id`,`lane`,`number`) WHERE "webhook_deliveries"."state" = 'pending';--> statement-breakpoint
CREATE INDEX `webhook_deliveries_listing` ON `webhook_deliveries` (`webhook_id`,`number`);--> statement-breakpoint
CREATE INDEX `webhook_deliveries_message` ON `webhook_deliveries` (`message_id`);--> statement-breakpoint
CREATE TABLE `webhook_messages` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`domain_id` text,
	`type` text NOT NULL,
	`ids` text NOT NULL,
	`body` text,
	`at` integer NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "webhook_messages_body" CHECK("webhook_messages"."body" is null or json_valid("webhook_messages"."body"))
);
--> statement-breakpoint
CREATE INDEX `webhook_messages_account` ON `webhook_messages` (`account_id`);--> statement-breakpoint
CREATE INDEX `webhook_messages_domain` ON `webhook_messages` (`domain_id`);--> statement-breakpoint
CREATE INDEX `webhook_messages_age` ON `webhook_messages` (`at`);--> statement-breakpoint
CREATE INDEX `webhook_messages_unwritten` ON `webhook_messages` (`id`) WHERE "webhook_messages"."body" is null;--> statement-breakpoint
CREATE TABLE `webhooks` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`url` text NOT NULL,
	`events` text NOT NULL,
	`secret` text NOT NULL,
	`previous_secret` text,
	`previous_until` integer,
	`created_at` integer NOT NULL,
	`disabled_at` integer,
	`disabled_because` text,
	`mail_due_at` integer,
	`mail_tries` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "webhooks_events" CHECK(json_valid("webhooks"."events")),
	CONSTRAINT "webhooks_end_whole" CHECK(("webhooks"."disabled_at" is null) = ("webhooks"."disabled_because" is null)),
	CONSTRAINT "webhooks_end" CHECK("webhooks"."disabled_because" is null or "webhooks"."disabled_because" in ('holder', 'gone', 'failing')),
	CONSTRAINT "webhooks_rotation_whole" CHECK(("webhooks"."previous_secret" is null) = ("webhooks"."previous_until" is null))
);
--> statement-breakpoint
CREATE INDEX `webhooks_account` ON `webhooks` (`account_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `webhooks_mail_due` ON `webhooks` (`mail_due_at`) WHERE "webhooks"."mail_due_at" is not null;