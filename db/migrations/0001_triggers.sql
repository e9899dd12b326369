-- Tallies of each account's domains, kept by the database so that no code path can forget them.
CREATE TRIGGER accounts_counts_start AFTER INSERT ON accounts BEGIN
  INSERT INTO domain_counts (account_id) VALUES (NEW.id);
END;
--> statement-breakpoint
CREATE TRIGGER domains_count_insert AFTER INSERT ON domains BEGIN
  UPDATE domain_counts SET
    unclaimed = unclaimed + (NEW.archived = 0 AND NEW.status = 'unclaimed'),
    pending = pending + (NEW.archived = 0 AND NEW.status = 'pending'),
    proved = proved + (NEW.archived = 0 AND NEW.status = 'proved'),
    expired = expired + (NEW.archived = 0 AND NEW.status = 'expired'),
    canceled = canceled + (NEW.archived = 0 AND NEW.status = 'canceled'),
    archived = archived + (NEW.archived = 1)
  WHERE account_id = NEW.account_id;
END;
--> statement-breakpoint
CREATE TRIGGER domains_count_update AFTER UPDATE OF archived, status ON domains
WHEN OLD.archived <> NEW.archived OR OLD.status <> NEW.status BEGIN
  UPDATE domain_counts SET
    unclaimed = unclaimed + (NEW.archived = 0 AND NEW.status = 'unclaimed') - (OLD.archived = 0 AND OLD.status = 'unclaimed'),
    pending = pending + (NEW.archived = 0 AND NEW.status = 'pending') - (OLD.archived = 0 AND OLD.status = 'pending'),
    proved = proved + (NEW.archived = 0 AND NEW.status = 'proved') - (OLD.archived = 0 AND OLD.status = 'proved'),
    expired = expired + (NEW.archived = 0 AND NEW.status = 'expired') - (OLD.archived = 0 AND OLD.status = 'expired'),
    canceled = canceled + (NEW.archived = 0 AND NEW.status = 'canceled') - (OLD.archived = 0 AND OLD.status = 'canceled'),
    archived = archived + (NEW.archived = 1) - (OLD.archived = 1)
  WHERE account_id = NEW.account_id;
END;
--> statement-breakpoint
CREATE TRIGGER domains_count_delete AFTER DELETE ON domains BEGIN
  UPDATE domain_counts SET
    unclaimed = unclaimed - (OLD.archived = 0 AND OLD.status = 'unclaimed'),
    pending = pending - (OLD.archived = 0 AND OLD.status = 'pending'),
    proved = proved - (OLD.archived = 0 AND OLD.status = 'proved'),
    expired = expired - (OLD.archived = 0 AND OLD.status = 'expired'),
    canceled = canceled - (OLD.archived = 0 AND OLD.status = 'canceled'),
    archived = archived - (OLD.archived = 1)
  WHERE account_id = OLD.account_id;
END;
--> statement-breakpoint
-- An ended claim is history: nothing moves it again.
CREATE TRIGGER claims_end_is_final BEFORE UPDATE OF state, ended_at, token, expires_at ON claims
WHEN OLD.state <> 'pending' BEGIN
  SELECT RAISE(ABORT, 'claims_end_is_final');
END;
--> statement-breakpoint
-- A claim is proved by a recorded read with its evidence, or not at all.
CREATE TRIGGER claims_proof_has_evidence BEFORE UPDATE OF state ON claims
WHEN NEW.state = 'proved' AND NOT EXISTS (
  SELECT 1 FROM verifications v
  JOIN attempts a ON a.verification_id = v.id AND a.outcome = 'found'
  JOIN attempt_evidence e ON e.attempt_id = a.id
  WHERE v.claim_id = NEW.id
) BEGIN
  SELECT RAISE(ABORT, 'claims_proof_has_evidence');
END;
--> statement-breakpoint
-- Only a proved claim of a listed domain publishes a link.
CREATE TRIGGER proof_links_need_a_proof BEFORE INSERT ON proof_links
WHEN NOT EXISTS (
  SELECT 1 FROM claims c JOIN domains d ON d.id = c.domain_id
  WHERE c.id = NEW.claim_id AND c.state = 'proved' AND d.archived = 0
) BEGIN
  SELECT RAISE(ABORT, 'proof_links_need_a_proof');
END;
--> statement-breakpoint
CREATE TRIGGER proof_links_revoked_for_good BEFORE UPDATE OF revoked_at ON proof_links
WHEN OLD.revoked_at IS NOT NULL BEGIN
  SELECT RAISE(ABORT, 'proof_links_revoked_for_good');
END;
--> statement-breakpoint
-- An archived domain opens no claim.
CREATE TRIGGER claims_need_a_listed_domain BEFORE INSERT ON claims
WHEN NOT EXISTS (SELECT 1 FROM domains WHERE id = NEW.domain_id AND archived = 0 AND name = NEW.name) BEGIN
  SELECT RAISE(ABORT, 'claims_need_a_listed_domain');
END;
--> statement-breakpoint
-- A holder is told of a thing once a day at most.
CREATE TRIGGER notices_once_a_day BEFORE INSERT ON notices
WHEN EXISTS (
  SELECT 1 FROM notices
  WHERE claim_id = NEW.claim_id AND kind = NEW.kind AND created_at > NEW.created_at - 86400000
) BEGIN
  SELECT RAISE(ABORT, 'notices_once_a_day');
END;
