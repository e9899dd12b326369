DROP INDEX `verifications_zone`;--> statement-breakpoint
ALTER TABLE `verifications` ADD `serial_since` integer;--> statement-breakpoint
ALTER TABLE `verifications` DROP COLUMN `serials`;