import { timingSafeEqual } from "node:crypto";
import { and, eq, sql } from "drizzle-orm";
import type { Context } from "#app/core/context.server.ts";
import type { FeedSubscriber } from "#app/core/feed/feed.server.ts";
import type { FeedMessage } from "#app/core/resources.ts";
import { SECOND } from "#app/core/time.ts";
import type { KeyBearer } from "#app/http/caller/api-key.server.ts";
import { prepared } from "#db/client.ts";
import { domains } from "#db/schema.ts";

declare module "#app/core/context.server.ts" {
  interface Context {
    gate: Gate;
  }
}

/** Names in memory, about 0.2 KB each; past it the account asked longest ago is forgotten, and read again if asked. */
const MOST_NAMES = 500_000;
const MOST_KEYS = 1_000;
/** How long a key is not looked up again: another process may have revoked it. */
const KEY_MS = SECOND;

const holding = prepared((db) =>
  db
    .select({ id: domains.id, name: domains.name })
    .from(domains)
    .where(and(eq(domains.accountId, sql.placeholder("accountId")), domains.holds)),
);
const oneHolding = prepared((db) =>
  db
    .select({ name: domains.name })
    .from(domains)
    .where(and(eq(domains.id, sql.placeholder("id")), domains.holds)),
);

/** The names that hold, with how many domains, and which domain has which. */
type Names = { byDomain: Map<string, string>; counts: Map<string, number> };
const CHANGES = ["domain.holds", "domain.no_longer_holds", "domain.deleted"];

/** Which names hold on an account, from memory: the feed, which all processes write, keeps it true. */
export class Gate implements FeedSubscriber {
  readonly #accounts = new Map<string, Names>();
  readonly #keys = new Map<
    string,
    { text: Buffer; address: string; until: number; key: KeyBearer }
  >();
  #size = 0;
  #isSubscribed = false;

  constructor(
    private readonly ctx: Pick<Context, "db" | "feed">,
    private readonly most = MOST_NAMES,
  ) {}

  holds(accountId: string, name: string): boolean {
    const names = this.#accounts.get(accountId) ?? this.#read(accountId);
    // To the end: the one that was asked longest ago is first.
    this.#accounts.delete(accountId);
    this.#accounts.set(accountId, names);
    return names.counts.has(name);
  }

  /** Whose a key is, by `find` if this was not asked within the last second; compared in constant time. */
  keyOf(id: string, text: string, address: string, find: () => KeyBearer): KeyBearer {
    const given = Buffer.from(text);
    const known = this.#keys.get(id);
    const isKnown = known?.text.length === given.length && timingSafeEqual(known.text, given);
    if (known && isKnown && known.address === address && performance.now() < known.until)
      return known.key;
    const key = find();
    if (this.#keys.size >= MOST_KEYS) this.#keys.clear();
    this.#keys.set(id, { text: given, address, until: performance.now() + KEY_MS, key });
    return key;
  }

  follows(accountId: string): boolean {
    return this.#accounts.has(accountId);
  }

  onMessages(moved: ReadonlyMap<string, readonly FeedMessage[]>): void {
    for (const [accountId, messages] of moved) {
      const names = this.#accounts.get(accountId);
      // None: something that the account's keys depend on ended.
      if (messages.length === 0) this.#keys.clear();
      for (const { type, ids } of messages)
        if (names && CHANGES.includes(type)) this.#settle(names, ids.domainId ?? "");
    }
  }

  #settle({ byDomain, counts }: Names, id: string): void {
    const before = byDomain.get(id);
    const after = oneHolding(this.ctx.db).get({ id })?.name;
    if (before === after) return;
    if (after !== undefined) {
      byDomain.set(id, after);
      counts.set(after, (counts.get(after) ?? 0) + 1);
    } else if (before !== undefined) {
      byDomain.delete(id);
      const left = (counts.get(before) ?? 1) - 1;
      if (left > 0) counts.set(before, left);
      else counts.delete(before);
    }
    this.#size += after === undefined ? -1 : 1;
  }

  #read(accountId: string): Names {
    // Before it is read, so that no change falls between.
    if (!this.#isSubscribed) this.ctx.feed.subscribe(this);
    this.#isSubscribed = true;
    const names: Names = { byDomain: new Map(), counts: new Map() };
    for (const { id, name } of holding(this.ctx.db).all({ accountId })) {
      names.byDomain.set(id, name);
      names.counts.set(name, (names.counts.get(name) ?? 0) + 1);
    }
    this.#size += names.byDomain.size;
    for (const [id, { byDomain }] of this.#accounts) {
      if (this.#size <= this.most) break;
      this.#accounts.delete(id);
      this.#size -= byDomain.size;
    }
    return names;
  }
}
