import Database from "better-sqlite3";
import type { HeldDomain, Holder } from "./holder.ts";

type Rows = {
  domains: { id: string; archived: number }[];
  claims: { id: string; state: string }[];
  links: { slug: string; revoked: number }[];
};

function readAll(path: string): Rows {
  const db = new Database(path, { readonly: true, timeout: 5_000 });
  try {
    return {
      domains: db.prepare("select id, archived from domains").all() as Rows["domains"],
      claims: db.prepare("select id, state from claims").all() as Rows["claims"],
      links: db
        .prepare("select slug, revoked_at is not null as revoked from proof_links")
        .all() as Rows["links"],
    };
  } finally {
    db.close();
  }
}

/** A pending claim may since have been proved by the schedule; an ended one may be canceled or proved. */
const stateStands = (told: string, stands: string | undefined): boolean =>
  told === "pending"
    ? stands === "pending" || stands === "proved"
    : told === "ended"
      ? stands === "canceled" || stands === "proved"
      : stands === told;

/** The acknowledged writes missing from a database, one line each. */
export function lostIn(path: string, holders: readonly Holder[]): string[] {
  const rows = readAll(path);
  const domains = new Map(rows.domains.map(({ id, archived }) => [id, archived === 1]));
  const states = new Map(rows.claims.map(({ id, state }) => [id, state]));
  const revoked = new Map(rows.links.map(({ slug, revoked }) => [slug, revoked === 1]));
  const lost: string[] = [];
  const check = (stands: boolean, what: string) => stands || lost.push(what);

  const compare = ({ id, archived, claims }: HeldDomain) => {
    check(domains.get(id) === archived, `${id} archived ${archived}`);
    for (const claim of claims) {
      check(stateStands(claim.state, states.get(claim.id)), `${claim.id} ${claim.state}`);
      for (const slug of claim.live) check(revoked.get(slug) === false, `${slug} live`);
      for (const slug of claim.revoked) check(revoked.get(slug) === true, `${slug} revoked`);
    }
  };
  for (const holder of holders) {
    for (const domain of holder.domains.values())
      if (domain.id !== holder.uncertain) compare(domain);
    for (const id of holder.deleted) check(!domains.has(id), `${id} deleted`);
    // Ignores unanswered writes from here on, because either outcome is correct.
    if (holder.uncertain) holder.domains.delete(holder.uncertain);
    holder.uncertain = null;
  }
  return lost;
}
