import { timingSafeEqual } from "node:crypto";
import type { Context } from "#app/core/context.server.ts";
import type { FeedSubscriber } from "#app/core/feed/feed.server.ts";
import { SECOND } from "#app/core/time.ts";
import type { KeyBearer } from "#app/http/caller/api-key.server.ts";
import { prepared } from "#db/client.ts";

/** The most names in memory, about 0.1 KB each; beyond this, the account asked about longest ago is dropped. */
const MAX_NAMES = 1_000_000;

const selectHeldNames = prepared((db) =>
  db.$client
    .prepare<[accountId: string], string>("select name from domains where account_id = ? and holds")
    .pluck(),
);
/** Selects a domain's name, and whether any of the account's domains with that name holds. */
const selectName = prepared((db) =>
  db.$client.prepare<[string], { name: string; holds: number }>(
    `select name, exists (select 1 from domains d where d.account_id = domains.account_id
       and d.name = domains.name and d.holds) as holds from domains where id = +?`,
  ),
);

/** Tells from memory which names hold in an account; the feed from all processes keeps the memory current. */
export class Gate {
  readonly #accounts = new Map<string, Set<string>>();
  /** Keys that were found good, for a second only, because another process may revoke them. */
  readonly #keys = new Map<string, { text: Buffer; address: string; key: KeyBearer }>();
  #keysUntil = 0;
  #isSubscribed = false;

  constructor(
    private readonly ctx: Pick<Context, "db" | "feed">,
    private readonly maxNames = MAX_NAMES,
  ) {}

  holds(accountId: string, name: string): boolean {
    const names = this.#accounts.get(accountId) ?? this.#read(accountId);
    // The account moves to the end, so the first one was asked about longest ago.
    this.#accounts.delete(accountId);
    this.#accounts.set(accountId, names);
    return names.has(name);
  }

  /** Returns the key with this text, by `find` unless it was found in the last second. Compares in constant time. */
  keyOf(id: string, text: string, address: string, find: () => KeyBearer): KeyBearer {
    if (performance.now() > this.#keysUntil) this.#keys.clear();
    const textBytes = Buffer.from(text);
    const known = this.#keys.get(id);
    if (known?.address === address && timingSafeEqual(known.text, textBytes)) return known.key;
    const key = find();
    if (this.#keys.size === 0) this.#keysUntil = performance.now() + SECOND;
    this.#keys.set(id, { text: textBytes, address, key });
    return key;
  }

  readonly #subscriber: FeedSubscriber = {
    follows: (accountId) => this.#accounts.has(accountId),
    onMessages: (newMessages) => {
      for (const [accountId, messages] of newMessages) {
        // An empty list means that something that the account's keys depend on has ended.
        if (messages.length === 0) this.#keys.clear();
        for (const { type, ids } of messages) {
          if (type === "domain.deleted") this.#accounts.delete(accountId);
          if (type !== "domain.holds" && type !== "domain.no_longer_holds") continue;
          const { name = "", holds } = selectName(this.ctx.db).get(ids.domainId ?? "") ?? {};
          this.#accounts.get(accountId)?.[holds ? "add" : "delete"](name);
        }
      }
    },
  };

  #read(accountId: string): Set<string> {
    // The subscription comes before the read, so that no change is missed.
    if (!this.#isSubscribed) this.ctx.feed.subscribe(this.#subscriber);
    this.#isSubscribed = true;
    const names = new Set(selectHeldNames(this.ctx.db).all(accountId));
    let size = [...this.#accounts.values()].reduce((sum, { size }) => sum + size, names.size);
    for (const [id, otherNames] of this.#accounts) {
      if (size <= this.maxNames) break;
      this.#accounts.delete(id);
      size -= otherNames.size;
    }
    return names;
  }
}
