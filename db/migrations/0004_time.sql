-- When the service last ran, to the hour. At first: the newest time that is of the past by its meaning.
CREATE TABLE `heartbeat` (
	`id` integer PRIMARY KEY NOT NULL,
	`at` integer NOT NULL,
	CONSTRAINT "heartbeat_one" CHECK("heartbeat"."id" = 1)
);
--> statement-breakpoint
INSERT INTO heartbeat (id, at)
SELECT 1, max(at) FROM (
  SELECT max(at) AS at FROM change_feed
  UNION ALL SELECT max(last_used_at) FROM sessions
  UNION ALL SELECT max(created_at) FROM claims
  UNION ALL SELECT max(last_run_at) FROM verifications
) HAVING max(at) IS NOT NULL;
--> statement-breakpoint
-- A proof that a wrong clock dated before its claim is dated by its claim.
DROP TRIGGER claims_end_is_final;
--> statement-breakpoint
UPDATE claims SET ended_at = created_at WHERE state = 'proved' AND ended_at < created_at;
--> statement-breakpoint
CREATE TRIGGER claims_end_is_final BEFORE UPDATE OF state, ended_at, token, expires_at ON claims
WHEN OLD.state <> 'pending' BEGIN
  SELECT RAISE(ABORT, 'claims_end_is_final');
END;
--> statement-breakpoint
-- The check comes with a column of its own, for which the table need not be made anew.
ALTER TABLE claims ADD COLUMN proved_at integer
  GENERATED ALWAYS AS (case state when 'proved' then ended_at end) VIRTUAL
  CONSTRAINT claims_proved_after_opening CHECK (proved_at >= created_at);
