CREATE TABLE `handoffs` (
	`slug` text PRIMARY KEY NOT NULL,
	`claim_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`revoked_at` integer,
	FOREIGN KEY (`claim_id`) REFERENCES `claims`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "handoffs_order" CHECK("handoffs"."revoked_at" is null or "handoffs"."revoked_at" >= "handoffs"."created_at")
);
--> statement-breakpoint
CREATE UNIQUE INDEX `handoffs_one_live` ON `handoffs` (`claim_id`) WHERE "handoffs"."revoked_at" is null;--> statement-breakpoint
CREATE INDEX `handoffs_claim` ON `handoffs` (`claim_id`);--> statement-breakpoint
-- Only an open claim is handed to somebody else.
CREATE TRIGGER handoffs_need_an_open_claim BEFORE INSERT ON handoffs
WHEN NOT EXISTS (SELECT 1 FROM claims WHERE id = NEW.claim_id AND state = 'pending') BEGIN
  SELECT RAISE(ABORT, 'handoffs_need_an_open_claim');
END;
--> statement-breakpoint
CREATE TRIGGER handoffs_revoked_for_good BEFORE UPDATE OF revoked_at ON handoffs
WHEN OLD.revoked_at IS NOT NULL BEGIN
  SELECT RAISE(ABORT, 'handoffs_revoked_for_good');
END;
