CREATE TABLE `account_origins` (
	`account_id` text NOT NULL,
	`origin` text NOT NULL,
	PRIMARY KEY(`account_id`, `origin`),
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
ALTER TABLE `handoffs` ADD `title` text;--> statement-breakpoint
ALTER TABLE `handoffs` ADD `requested_for` text;--> statement-breakpoint
ALTER TABLE `handoffs` ADD `return_url` text;
--> statement-breakpoint
CREATE TRIGGER account_origins_limit BEFORE INSERT ON account_origins
WHEN (SELECT count(*) FROM account_origins WHERE account_id = NEW.account_id) >= 20 BEGIN
  SELECT RAISE(ABORT, 'account_origins_limit');
END;
