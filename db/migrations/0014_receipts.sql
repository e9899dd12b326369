CREATE TABLE `receipts` (
	`claim_id` text PRIMARY KEY NOT NULL,
	`statement` text NOT NULL,
	`chain` blob,
	`evidence` text NOT NULL,
	`salt` blob NOT NULL,
	`log` text,
	`log_index` integer,
	FOREIGN KEY (`claim_id`) REFERENCES `claims`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "receipts_evidence_json" CHECK(json_valid("receipts"."evidence")),
	CONSTRAINT "receipts_salt" CHECK(length("receipts"."salt") = 16),
	CONSTRAINT "receipts_log_whole" CHECK(("receipts"."log" is null) = ("receipts"."log_index" is null))
);
--> statement-breakpoint
CREATE TABLE `signing_keys` (
	`kid` text PRIMARY KEY NOT NULL,
	`x` text NOT NULL,
	`not_before` integer NOT NULL,
	`not_after` integer,
	`succession` text,
	CONSTRAINT "signing_keys_order" CHECK("signing_keys"."not_after" is null or "signing_keys"."not_after" >= "signing_keys"."not_before")
);
--> statement-breakpoint
CREATE UNIQUE INDEX `signing_keys_one_current` ON `signing_keys` ((1)) WHERE "signing_keys"."not_after" is null;