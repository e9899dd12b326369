-- Columns are added in place: a rebuilt table would lose its triggers and everything that hangs on its rows.
ALTER TABLE `domains` ADD `reference` text DEFAULT '' NOT NULL CONSTRAINT "domains_reference_length" CHECK(length("reference") <= 200);--> statement-breakpoint
ALTER TABLE `domains` ADD `last_proved_at` integer;--> statement-breakpoint
ALTER TABLE `claims` ADD `reference` text DEFAULT '' NOT NULL;--> statement-breakpoint
UPDATE domains SET last_proved_at = (SELECT max(ended_at) FROM claims WHERE domain_id = domains.id AND state = 'proved')
WHERE status IN ('pending', 'proved');--> statement-breakpoint
DROP INDEX `domains_account_name`;--> statement-breakpoint
CREATE UNIQUE INDEX `domains_account_name_reference` ON `domains` (`account_id`,`name`,`reference`);--> statement-breakpoint
DROP INDEX `domains_listing_name`;--> statement-breakpoint
CREATE INDEX `domains_listing_name` ON `domains` (`account_id`,`archived`,`name`,`id`);--> statement-breakpoint
CREATE INDEX `domains_of_name` ON `domains` (`account_id`,`name`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `domains_of_reference` ON `domains` (`account_id`,`reference`,`archived`,`created_at`,`id`) WHERE "domains"."reference" <> '';--> statement-breakpoint
CREATE INDEX `domains_of_reference_status` ON `domains` (`account_id`,`reference`,`archived`,`status`,`created_at`,`id`) WHERE "domains"."reference" <> '';--> statement-breakpoint
CREATE INDEX `claims_of_reference` ON `claims` (`account_id`,`reference`,`created_at`,`id`) WHERE "claims"."reference" <> '';--> statement-breakpoint
DROP TRIGGER claims_need_a_listed_domain;--> statement-breakpoint
-- An archived domain opens no claim.
CREATE TRIGGER claims_need_a_listed_domain BEFORE INSERT ON claims
WHEN NOT EXISTS (
  SELECT 1 FROM domains
  WHERE id = NEW.domain_id AND archived = 0 AND name = NEW.name AND reference = NEW.reference
) BEGIN
  SELECT RAISE(ABORT, 'claims_need_a_listed_domain');
END;
