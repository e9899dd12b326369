CREATE TABLE `__new_receipts` (
	`claim_id` text PRIMARY KEY NOT NULL,
	`statement` text NOT NULL,
	`chain` blob,
	`evidence` text NOT NULL,
	FOREIGN KEY (`claim_id`) REFERENCES `claims`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "receipts_evidence_json" CHECK(json_valid("__new_receipts"."evidence"))
);
--> statement-breakpoint
INSERT INTO `__new_receipts`("claim_id", "statement", "chain", "evidence") SELECT "claim_id", "statement", "chain", "evidence" FROM `receipts`;--> statement-breakpoint
DROP TABLE `receipts`;--> statement-breakpoint
ALTER TABLE `__new_receipts` RENAME TO `receipts`;--> statement-breakpoint
ALTER TABLE `claims` ADD `salt` blob;--> statement-breakpoint
ALTER TABLE `claims` ADD `nonce` blob;--> statement-breakpoint
ALTER TABLE `signing_keys` ADD `succession` text;