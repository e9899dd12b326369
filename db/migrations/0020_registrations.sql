CREATE TABLE `registrations` (
	`name` text PRIMARY KEY NOT NULL,
	`asked_at` integer NOT NULL,
	`next_at` integer NOT NULL,
	`answered_at` integer,
	`registration` text,
	CONSTRAINT "registrations_answer" CHECK("registrations"."registration" is null or "registrations"."answered_at" is not null),
	CONSTRAINT "registrations_json" CHECK("registrations"."registration" is null or json_valid("registrations"."registration"))
);
--> statement-breakpoint
CREATE INDEX `registrations_asked` ON `registrations` (`asked_at`);