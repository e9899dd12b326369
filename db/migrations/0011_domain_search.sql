CREATE TABLE `domain_numbers` (
	`number` integer PRIMARY KEY NOT NULL,
	`domain_id` text NOT NULL,
	FOREIGN KEY (`domain_id`) REFERENCES `domains`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `domain_numbers_domain_id_unique` ON `domain_numbers` (`domain_id`);
--> statement-breakpoint
-- Finds domains by any part of their names, three letters at least. `owner` is the end of the account's id, which
-- narrows a search to few accounts before any row is read. The index stores no text of its own.
CREATE VIRTUAL TABLE domain_search USING fts5(owner, name, unicode_name, content='', tokenize='trigram');
--> statement-breakpoint
INSERT INTO domain_numbers (domain_id) SELECT id FROM domains ORDER BY created_at, id;
--> statement-breakpoint
INSERT INTO domain_search (rowid, owner, name, unicode_name)
SELECT number, substr(account_id, -3), name, iif(unicode_name = name, '', unicode_name)
FROM domain_numbers JOIN domains ON domains.id = domain_id;
--> statement-breakpoint
CREATE TRIGGER domains_search_insert AFTER INSERT ON domains BEGIN
  INSERT INTO domain_numbers (domain_id) VALUES (NEW.id);
  INSERT INTO domain_search (rowid, owner, name, unicode_name)
  SELECT number, substr(NEW.account_id, -3), NEW.name, iif(NEW.unicode_name = NEW.name, '', NEW.unicode_name)
  FROM domain_numbers WHERE domain_id = NEW.id;
END;
--> statement-breakpoint
CREATE TRIGGER domains_search_delete BEFORE DELETE ON domains BEGIN
  INSERT INTO domain_search (domain_search, rowid, owner, name, unicode_name)
  SELECT 'delete', number, substr(OLD.account_id, -3), OLD.name, iif(OLD.unicode_name = OLD.name, '', OLD.unicode_name)
  FROM domain_numbers WHERE domain_id = OLD.id;
END;
