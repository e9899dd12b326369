import Database from "better-sqlite3";

/** Rows whose number of messages in the change feed differs from what `facts` (id, n, stands) requires. */
const mistold = (type: string, id: string, facts: string) => `
    select id from (${facts} union all select ids ->> '${id}', -1, 0 from change_feed where type = '${type}')
    group by id having sum(n) <> 0 and max(stands) = 1`;

/** What must never be in a database and it does not refuse itself (db/schema.test.ts): queries that return the offending ids. */
const BROKEN: Record<string, string> = {
  "an ended claim whose verification goes on, or the other way round": `
    select c.id from claims c join verifications v on v.claim_id = c.id
    where v.status not in (select case c.state when 'proved' then 'proved' when 'expired' then 'exhausted'
      when 'canceled' then 'stopped' else v.status end)
      or (c.state = 'pending' and v.status in ('proved', 'exhausted', 'stopped'))`,
  "a claim without a verification": `
    select id from claims where id not in (select claim_id from verifications)`,
  "a find whose claim is not proved": `
    select a.id from attempts a join verifications v on v.id = a.verification_id
    join claims c on c.id = v.claim_id where a.outcome = 'found' and c.state <> 'proved'`,
  "a receipt of what is not proved": `
    select r.claim_id from receipts r join claims c on c.id = r.claim_id where c.state <> 'proved'`,
  "an attempt that nothing tells of, or twice": mistold(
    "verification.ran",
    "verificationId",
    "select id, 0 as n, 1 as stands from verifications union all select verification_id, 1, 0 from attempts",
  ),
  "an end that is not told exactly once": mistold(
    "claim.ended",
    "claimId",
    "select id, state <> 'pending' as n, 1 as stands from claims",
  ),
  "an opening that is not told exactly once": mistold(
    "claim.opened",
    "claimId",
    "select id, 1 as n, 1 as stands from claims",
  ),
  "a claim told to have ended twice": `
    select ids ->> 'claimId' from change_feed where type = 'claim.ended' group by 1 having count(*) > 1`,
  "a notice that is not told exactly once": mistold(
    "notice.created",
    "noticeId",
    "select id, 1 as n, 1 as stands from notices",
  ),
  "an event of something that neither stands nor was deleted": `
    select f.id from change_feed f where f.ids ->> 'claimId' is not null
      and not exists (select 1 from claims c where c.id = f.ids ->> 'claimId')
      and not exists (select 1 from change_feed d where d.type = 'domain.deleted' and d.account_id = f.account_id)`,
  "a domain whose status is not its claim's": `
    select d.id from domains d left join claims c on c.id = d.claim_id
    where d.status <> ifnull(c.state, 'unclaimed')`,
  "a domain beside its open claim": `
    select d.id from domains d join claims c on c.domain_id = d.id and c.state = 'pending'
    where d.status <> 'pending' or d.archived = 1`,
  "a live link of something archived or not proved": `
    select p.slug from proof_links p join claims c on c.id = p.claim_id join domains d on d.id = c.domain_id
    where p.revoked_at is null and (d.archived = 1 or c.state <> 'proved')`,
};

/** Everything that is wrong with a database, one line each, including `integrity_check` and `foreign_key_check`. */
export function violations(path: string): string[] {
  const db = new Database(path, { readonly: true, timeout: 5_000 });
  try {
    const integrity = String(db.pragma("integrity_check", { simple: true }));
    const orphans = db.pragma("foreign_key_check") as unknown[];
    return [
      ...(integrity === "ok" ? [] : [`integrity_check: ${integrity}`]),
      ...(orphans.length === 0 ? [] : [`foreign_key_check: ${orphans.length} rows`]),
      ...Object.entries(BROKEN).flatMap(([name, query]) => {
        const ids = db.prepare(query).pluck().all();
        return ids.length === 0 ? [] : [`${name}: ${ids.length}, such as ${String(ids[0])}`];
      }),
    ];
  } finally {
    db.close();
  }
}

export function columnIn(path: string, query: string, ...values: unknown[]): string[] {
  const db = new Database(path, { readonly: true, timeout: 5_000 });
  try {
    const rows = db.prepare(query).pluck();
    return rows.all(...values).map(String);
  } finally {
    db.close();
  }
}

export const countIn = (path: string, query: string): number => Number(columnIn(path, query)[0]);

export const namesIn = (path: string): Set<string> =>
  new Set(columnIn(path, "select name from domains"));
