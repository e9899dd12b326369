ALTER TABLE `attempts` ADD `same_as` text;--> statement-breakpoint
ALTER TABLE `verifications` ADD `seen` text;--> statement-breakpoint
-- Evidence is shared only by reads of one claim that came to the same outcome.
CREATE TRIGGER attempts_same_as BEFORE INSERT ON attempts
WHEN NEW.same_as IS NOT NULL AND NOT EXISTS (
  SELECT 1 FROM attempts a JOIN attempt_evidence e ON e.attempt_id = a.id
  WHERE a.id = NEW.same_as AND a.verification_id = NEW.verification_id AND a.outcome = NEW.outcome
) BEGIN
  SELECT RAISE(ABORT, 'attempts_same_as');
END;
