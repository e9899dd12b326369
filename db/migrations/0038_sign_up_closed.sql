CREATE TABLE `sign_up_closed` (
	`id` integer PRIMARY KEY NOT NULL,
	CONSTRAINT "sign_up_closed_one" CHECK("sign_up_closed"."id" = 1)
);
