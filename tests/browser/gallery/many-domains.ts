import type { Db } from "#db/client.ts";
import { DAY } from "./simulation.ts";

/** Creates ten thousand domains for one account, each with the claim its state requires. */
export function insertManyDomains({ $client }: Db, accountId: string, now: number): void {
  $client.exec(`
    create temp table crowd as
      with recursive numbers (i) as (select 0 union all select i + 1 from numbers where i < 9999),
        kinds (place, kind) as (values (0, 'proved'), (1, 'unclaimed'), (2, 'proved'),
          (3, 'expired'), (4, 'proved'), (5, 'canceled'), (6, 'archived'), (7, 'proved'))
      select printf('%026d', i) as id, printf('name-%05d.crowd.example', i) as name, kind,
        iif(kind = 'archived', 'proved', kind) as state, ${now - 390 * DAY} + i * 3000000 as at
      from numbers join kinds on place = i % 8;
    insert into domains (id, account_id, name, unicode_name, status, claim_id, created_at)
      select 'dom_' || id, '${accountId}', name, name, state,
        iif(kind = 'unclaimed', null, 'clm_' || id), at from crowd;
    insert into claims (id, account_id, domain_id, name, state, token, challenge_label,
        created_at, expires_at, ended_at)
      select 'clm_' || id, '${accountId}', 'dom_' || id, name, state,
        'service_v1_00000000000000' || id, '_service-challenge',
        at, at + ${7 * DAY}, iif(kind = 'expired', at + ${7 * DAY}, at + ${DAY})
      from crowd where kind <> 'unclaimed';
    insert into verifications (id, claim_id, account_id, status, wait_reason, wait_until,
        deadline, created_at)
      select 'ver_' || id, 'clm_' || id, '${accountId}',
        case state when 'expired' then 'exhausted' when 'canceled' then 'stopped' else state end,
        iif(state = 'proved', null, 'first_check'), iif(state = 'proved', null, at),
        at + ${7 * DAY}, at
      from crowd where kind <> 'unclaimed';
    update domains set archived = 1
      where id in (select 'dom_' || id from crowd where kind = 'archived');
    drop table crowd`);
}
