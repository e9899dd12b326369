import Database from "better-sqlite3";
import { isPublished } from "./knots.ts";
import { Rejected } from "./rounds.ts";
import type { ReadReport } from "./verification-process.ts";

type Committed = {
  name: string;
  outcome: string;
  code: string | null;
  answer: string | null;
  packets: number;
};

/** Attempts on the seeded claims, with parts of their evidence. */
const COMMITTED = `
  select c.name, a.outcome, json_extract(a.diagnosis, '$.code') as code,
    json_extract(a.diagnosis, '$.observed.answer.type') as answer,
    json_extract(e.evidence, '$.packets') as packets
  from attempts a join attempt_evidence e on e.attempt_id = a.id
    join verifications v on v.id = a.verification_id join claims c on c.id = v.claim_id
  where c.name like 'n%'`;

/**
 * Throws Rejected unless every packet sent is in the evidence of a committed attempt, every outcome is right, and no
 * lease is left.
 */
export function checkOutcomes(path: string, { packets, failures }: ReadReport): void {
  const db = new Database(path, { readonly: true });
  const committed = db.prepare(COMMITTED).all() as Committed[];
  const count = (sql: string) => Number(db.prepare(`select count(*) from ${sql}`).pluck().get());
  const proved = count("claims where state = 'proved' and name like 'n%'");
  const held = count("verifications where run_id is not null");
  db.close();
  const asked = committed.reduce((sum, attempt) => sum + attempt.packets, 0);

  const wrong = committed.filter(({ name, outcome, code, answer }) =>
    isPublished(Number(name.slice(1, -4)))
      ? outcome !== "found"
      : outcome !== "absent" || code !== "record_absent" || answer !== "nxdomain",
  );
  const found = committed.filter(({ outcome }) => outcome === "found").length;
  if (failures.length > 0) throw new Rejected(`the services complained: ${failures[0]}`);
  if (committed.length === 0) throw new Rejected("nothing was read");
  if (wrong.length > 0)
    throw new Rejected(`${wrong.length} wrong outcomes: ${JSON.stringify(wrong[0])}`);
  if (asked !== packets) throw new Rejected(`${packets} packets left, ${asked} are in evidence`);
  if (proved !== found) throw new Rejected(`${found} found, ${proved} proved`);
  if (held > 0) throw new Rejected(`${held} verifications were left held`);
}
