-- Added in place: a table made anew would take every verification along when the old one is dropped.
ALTER TABLE `claims` ADD `nameservers` text CONSTRAINT "claims_nameservers" CHECK("nameservers" is null or ("state" = 'proved' and json_valid("nameservers")));
--> statement-breakpoint
-- Proofs that stand: counted from the evidence in full.
UPDATE claims SET nameservers = (
  SELECT json_object(
    'delegated', json_array_length(e.evidence, '$.delegation.nameservers'),
    'answered', (
      SELECT count(*) FROM json_each(e.evidence, '$.servers') s
      WHERE s.value ->> 'result' = 'answered' AND s.value -> 'answer' <> 'null'
    ),
    'holding', (
      SELECT count(*) FROM json_each(e.evidence, '$.servers') s
      WHERE s.value ->> '$.answer.rcode' = 'NOERROR' AND s.value ->> '$.answer.alias' IS NULL
        AND EXISTS (SELECT 1 FROM json_each(s.value, '$.answer.values') v WHERE v.value = claims.token)
    )
  )
  FROM verifications v
  JOIN attempts a ON a.verification_id = v.id AND a.outcome = 'found'
  JOIN attempt_evidence e ON e.attempt_id = a.id
  WHERE v.claim_id = claims.id AND e.trimmed = 0
    AND json_type(e.evidence, '$.delegation.nameservers') = 'array' AND json_type(e.evidence, '$.servers') = 'array'
) WHERE state = 'proved';
--> statement-breakpoint
-- Or from its summary, which has the servers asked: 13 at most, so that 13 may stand for more.
UPDATE claims SET nameservers = (
  SELECT json_object(
    'delegated', json_array_length(e.evidence, '$.servers'),
    'answered', (SELECT count(*) FROM json_each(e.evidence, '$.servers') s WHERE s.value ->> 'result' = 'answered'),
    'holding', (SELECT count(*) FROM json_each(e.evidence, '$.servers') s WHERE s.value ->> 'hasToken' = 1)
  )
  FROM verifications v
  JOIN attempts a ON a.verification_id = v.id AND a.outcome = 'found'
  JOIN attempt_evidence e ON e.attempt_id = a.id
  WHERE v.claim_id = claims.id AND e.trimmed = 1 AND json_array_length(e.evidence, '$.servers') BETWEEN 1 AND 12
) WHERE state = 'proved' AND nameservers IS NULL;
