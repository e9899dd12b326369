CREATE TABLE `log_entries` (
	`log` text NOT NULL,
	`index` integer NOT NULL,
	`entry` blob NOT NULL,
	PRIMARY KEY(`log`, `index`),
	CONSTRAINT "log_entries_length" CHECK(length("log_entries"."entry") = 32)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `log_hashes` (
	`log` text NOT NULL,
	`level` integer NOT NULL,
	`index` integer NOT NULL,
	`hash` blob NOT NULL,
	PRIMARY KEY(`log`, `level`, `index`),
	CONSTRAINT "log_hashes_length" CHECK(length("log_hashes"."hash") = 32)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `log_moves` (
	`log` text NOT NULL,
	`index` integer NOT NULL,
	`to_log` text NOT NULL,
	`to_index` integer NOT NULL,
	PRIMARY KEY(`log`, `index`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `logs` (
	`id` text PRIMARY KEY NOT NULL,
	`origin` text NOT NULL,
	`kid` text NOT NULL,
	`size` integer DEFAULT 0 NOT NULL,
	`settled` integer DEFAULT 0 NOT NULL,
	`checkpoint` text,
	`checkpoint_size` integer DEFAULT 0 NOT NULL,
	`stamp` text,
	`waiting_since` integer,
	`begun_at` integer NOT NULL,
	`ended_at` integer,
	CONSTRAINT "logs_sizes" CHECK("logs"."checkpoint_size" <= "logs"."settled" and "logs"."settled" <= "logs"."size" and ("logs"."checkpoint" is not null or "logs"."checkpoint_size" = 0))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `logs_origin_unique` ON `logs` (`origin`);--> statement-breakpoint
CREATE UNIQUE INDEX `logs_one_current` ON `logs` (("ended_at" is null)) WHERE "logs"."ended_at" is null;--> statement-breakpoint
CREATE INDEX `logs_unsettled` ON `logs` (`kid`) WHERE "logs"."settled" < "logs"."size";