import Database from "better-sqlite3";

/** Deed's database, read-only. */
const database = new Database(process.env.FLOOR_DATABASE, { readonly: true });

type Row = {
  slug: string;
  name: string;
  unicodeName: string;
  email: string;
  token: string;
  label: string;
  provider: string | null;
  nameservers: string | null;
  endedAt: number;
  latestProvedAt: number;
};

const bySlug = database.prepare<[string], Row>(`
  select l.slug, c.name, d.unicode_name unicodeName, a.email, c.token, c.challenge_label label, c.provider, c.nameservers,
    c.ended_at endedAt,
    (select max(ended_at) from claims later where later.name = c.name and later.state = 'proved') latestProvedAt
  from proof_links l
    join claims c on c.id = l.claim_id
    join domains d on d.id = c.domain_id
    join accounts a on a.id = c.account_id
  where l.slug = ? and l.revoked_at is null`);

const evidenceOf = database.prepare<[string], { evidence: string }>(`
  select e.evidence from proof_links l
    join verifications v on v.claim_id = l.claim_id
    join attempts t on t.verification_id = v.id and t.outcome = 'found'
    join attempt_evidence e on e.attempt_id = t.id
  where l.slug = ?`);

const iso = (ms: number) => new Date(ms).toISOString();

/** The same fields as Deed's endpoint answers; null if there is no live link. */
export function proofOf(slug: string) {
  const row = bySlug.get(slug);
  if (!row) return null;
  return {
    slug: row.slug,
    url: `${process.env.FLOOR_BASE_URL}/p/${row.slug}`,
    domain: row.name,
    unicodeDomain: row.unicodeName,
    heldBy: `${row.email[0]}•••${row.email.slice(row.email.indexOf("@"))}`,
    token: row.token,
    challengeHost: `${row.label}.${row.name}`,
    provider: row.provider,
    nameservers: row.nameservers === null ? null : JSON.parse(row.nameservers),
    provedAt: iso(row.endedAt),
    recency:
      row.latestProvedAt > row.endedAt
        ? { type: "earlier" as const, latestProvedAt: iso(row.latestProvedAt) }
        : { type: "latest" as const },
  };
}

/** The number of servers and witnesses in the stored evidence. */
export function witnessOf(slug: string) {
  const row = evidenceOf.get(slug);
  const { servers, witnesses } = row ? JSON.parse(row.evidence) : { servers: [], witnesses: [] };
  return { servers: Number(servers.length), witnesses: Number(witnesses.length) };
}
