ALTER TABLE `verifications` ADD `wait_observed` text;--> statement-breakpoint
ALTER TABLE `verifications` ADD `resolvers_due` integer;--> statement-breakpoint
ALTER TABLE `verifications` ADD `serials` text;--> statement-breakpoint
CREATE INDEX `verifications_zone` ON `verifications` (`account_id`,`zone`,`created_at`);