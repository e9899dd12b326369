CREATE TABLE `cluster_term` (
	`id` integer PRIMARY KEY NOT NULL,
	`term` integer NOT NULL,
	`holder` text NOT NULL,
	CONSTRAINT "cluster_term_one" CHECK("cluster_term"."id" = 1)
);
