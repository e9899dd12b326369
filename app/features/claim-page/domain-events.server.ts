import { prepared } from "#db/client.ts";
import type { DomainEvent } from "./timeline.ts";

const MAX_EVENTS = 100;

type EventQuery = { domainId: string; claimId: string | null };

const eventsOf = prepared((db) =>
  db.$client.prepare<[EventQuery], DomainEvent>(`
    with own as materialized (select * from claims where domain_id = @domainId and id = ifnull(@claimId, id))
    select 'opened' as kind, id as claimId, created_at as at, substr(token, -8) as what, 0 as place from own
    union all select state, id, ended_at, null, 2 from own where ended_at is not null
    union all select 'handed_off', claim_id, h.created_at, null, 1 from handoffs h join own on own.id = claim_id
    union all select 'taken_back', claim_id, revoked_at, null, 1 from handoffs h join own on own.id = claim_id
      where revoked_at is not null
    union all select 'published', claim_id, issued_at, slug, 3 from proof_links join own on own.id = claim_id
    union all select 'revoked', claim_id, revoked_at, slug, 4 from proof_links join own on own.id = claim_id
      where revoked_at is not null
    union all select 'watched', claim_id, started_at, null, 5 from watches join own on own.id = claim_id
      where purpose = 'watch'
    union all select kind, claim_id, created_at, null, 6 from notices where domain_id = @domainId
      and claim_id = ifnull(@claimId, claim_id) and kind not in ('proved', 'nudge', 'expiring', 'expired')
    union all select 'back', claim_id, seen_at, null, 7 from watches w join own on own.id = claim_id
      where purpose = 'watch' and w.state = 'published' and exists (select 1 from notices n where
        n.claim_id = w.claim_id and n.kind in ('missing', 'moved', 'gone') and n.created_at < w.seen_at)
    union all select 'deleted', claim_id, missing_since, null, 7 from watches w join own on own.id = claim_id
      where next_read_at is null and w.state <> 'published'
    order by at desc, place desc limit ${MAX_EVENTS + 1}`),
);

/** Lists the events of a domain, or only those of the claim `claimId`, newest first. */
export function domainEvents(db: Parameters<typeof eventsOf>[0], query: EventQuery) {
  const rows = eventsOf(db).all(query);
  return { events: rows.slice(0, MAX_EVENTS), hasMore: rows.length > MAX_EVENTS };
}
