ALTER TABLE `notices` DROP CONSTRAINT "notices_kind";--> statement-breakpoint
ALTER TABLE `notices` ADD CONSTRAINT "notices_kind" CHECK("notices"."kind" in ('proved', 'nudge', 'expiring', 'expired', 'coexistence', 'missing', 'lapsed', 'moved', 'gone', 'registered_again', 'registration_expiring'));--> statement-breakpoint
ALTER TABLE `watches` ADD `every` text DEFAULT 'day' NOT NULL CONSTRAINT "watches_every" CHECK("every" in ('day', 'hour'));--> statement-breakpoint
ALTER TABLE `watches` ADD `expires_at` integer;--> statement-breakpoint
ALTER TABLE `watches` ADD `expiry_told` integer;--> statement-breakpoint
CREATE INDEX `watches_hourly` ON `watches` (`claim_id`) WHERE "watches"."every" = 'hour';--> statement-breakpoint
ALTER TABLE `claims` ADD `watch_hourly` integer DEFAULT false NOT NULL;