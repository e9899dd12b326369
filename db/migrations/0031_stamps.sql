ALTER TABLE `receipts` ADD `stamp` blob;--> statement-breakpoint
ALTER TABLE `receipts` ADD `stamp_due_at` integer;--> statement-breakpoint
CREATE INDEX `receipts_stamp_due` ON `receipts` (`stamp_due_at`) WHERE "receipts"."stamp_due_at" is not null;