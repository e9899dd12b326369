ALTER TABLE `notices` DROP CONSTRAINT "notices_kind";--> statement-breakpoint
ALTER TABLE `notices` ADD CONSTRAINT "notices_kind" CHECK("notices"."kind" in ('proved', 'nudge', 'expiring', 'expired', 'coexistence', 'missing', 'lapsed', 'moved', 'gone', 'registered_again'));--> statement-breakpoint
ALTER TABLE `watches` ADD `registry` text CONSTRAINT "watches_registry" CHECK("registry" is null or "registry" in ('registered', 'registered_again', 'not_said', 'no_rdap'));--> statement-breakpoint
ALTER TABLE `watches` ADD `registry_at` integer;--> statement-breakpoint
ALTER TABLE `watches` ADD `registered_at` integer;--> statement-breakpoint
ALTER TABLE `watches` ADD `next_ask_at` integer;--> statement-breakpoint
UPDATE `watches` SET `next_ask_at` = `started_at` WHERE `purpose` = 'watch';--> statement-breakpoint
CREATE INDEX `watches_to_ask` ON `watches` (`next_ask_at`) WHERE "watches"."purpose" = 'watch';
