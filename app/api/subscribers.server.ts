import { createCipheriv, createDecipheriv, createHash } from "node:crypto";
import type { Context } from "#app/core/context.server.ts";
import {
  type FeedMessage,
  type FeedPosition,
  type FeedSubscriber,
  feedEnd,
  isAllKept,
  readFeed,
} from "#app/core/feed/feed.server.ts";
import type { EventList } from "#app/core/resources.ts";
import type { EventStreams, Secrets, Subscriber } from "#app/http/app.server.ts";
import { activeCredentials } from "#app/http/caller/api-key.server.ts";
import { keyedHash } from "#app/http/caller/cookies.server.ts";
import { formatEvent } from "#app/http/sse.server.ts";

/** An id is one block of AES, so encrypting it without chaining is a keyed permutation. */
const CIPHER = "aes-256-ecb";
const NUMBER_BYTES = 6;

/** Returns four bytes by which an id of another account, or one made with another key, is recognized. */
const markOf = (accountId: string): Buffer =>
  createHash("sha256").update(accountId).digest().subarray(0, 4);

/** Encrypts positions in the feed, because the feed's numbers count the changes of all accounts. */
class EventIds {
  readonly #key: Buffer;

  constructor(secrets: Secrets, world = "") {
    this.#key = Buffer.from(keyedHash(secrets, `event ids${world}`), "base64url");
  }

  make(accountId: string, { id, at }: FeedPosition): string {
    const block = Buffer.alloc(2 * NUMBER_BYTES);
    block.writeUIntBE(id, 0, NUMBER_BYTES);
    block.writeUIntBE(at, NUMBER_BYTES, NUMBER_BYTES);
    const cipher = createCipheriv(CIPHER, this.#key, null).setAutoPadding(false);
    return cipher.update(Buffer.concat([block, markOf(accountId)])).toString("base64url");
  }

  /** Returns the position in an id; null if it is not an id of this account under the newest secret. */
  read(accountId: string, text: string): FeedPosition | null {
    if (!/^[\w-]{22}$/.test(text)) return null;
    const decipher = createDecipheriv(CIPHER, this.#key, null).setAutoPadding(false);
    const block = decipher.update(Buffer.from(text, "base64url"));
    if (!block.subarray(2 * NUMBER_BYTES).equals(markOf(accountId))) return null;
    const [id, at] = [0, NUMBER_BYTES].map((from) => block.readUIntBE(from, NUMBER_BYTES));
    return { id: id ?? 0, at: at ?? 0 };
  }
}

const PAGE_SIZE = 100;

/** `isBehind`: more messages were missed than its reader has taken yet; each page follows once there is room. */
type Stream = Pick<Subscriber, "sink" | "credential"> & { position: number; isBehind: boolean };

export class Subscribers implements EventStreams, FeedSubscriber {
  readonly #ids: EventIds;
  readonly #accounts = new Map<string, Set<Stream>>();
  #stopListening = () => {};

  constructor(
    private readonly ctx: Context,
    secrets: Secrets,
    private readonly closing: AbortSignal,
  ) {
    this.#ids = new EventIds(secrets, ctx.test?.slugStart);
    closing.addEventListener("abort", () => this.#close(this.#accounts.keys()));
  }

  get count(): number {
    return [...this.#accounts.values()].reduce((sum, { size }) => sum + size, 0);
  }

  countOf = (accountId: string): number => this.#accounts.get(accountId)?.size ?? 0;

  follows = (accountId: string): boolean => this.#accounts.has(accountId);

  subscribe(accountId: string, { sink, credential, lastEventId }: Subscriber) {
    if (this.closing.aborted) {
      sink.close();
      return { onBeat: () => {}, onRoom: () => {}, onEnd: () => {} };
    }
    const { position, firstEvent } = this.#startOf(accountId, lastEventId);
    if (firstEvent) sink.send(firstEvent);
    const stream = { sink, credential, position, isBehind: false };
    if (this.#accounts.size === 0) this.#stopListening = this.ctx.feed.subscribe(this);
    const streams = this.#accounts.get(accountId) ?? new Set();
    this.#accounts.set(accountId, streams.add(stream));
    const onBeat = () => this.#catchUp(accountId, stream);
    onBeat();
    const onRoom = () => stream.isBehind && onBeat();
    return { onBeat, onRoom, onEnd: () => this.#remove(accountId, stream) };
  }

  /** Lists the events after `after`, or all that are kept, oldest first. */
  list(accountId: string, after: string | undefined, limit: number): EventList {
    const end = feedEnd(this.ctx, accountId);
    const ids = this.#ids;
    const all = { position: 0, firstEvent: "" };
    const { position, firstEvent } = after === undefined ? all : this.#startOf(accountId, after);
    const messages = readFeed(this.ctx, accountId, position, limit);
    return {
      events: messages.map((row) => ({ id: ids.make(accountId, row), type: row.type, ...row.ids })),
      nextCursor: ids.make(accountId, messages.at(-1) ?? end),
      reset: firstEvent !== "",
    };
  }

  #startOf(accountId: string, lastEventId: string | null) {
    const position = lastEventId === null ? null : this.#ids.read(accountId, lastEventId);
    if (position && isAllKept(this.ctx, accountId, position))
      return { position: position.id, firstEvent: "" };
    const end = feedEnd(this.ctx, accountId);
    const id = this.#ids.make(accountId, end);
    const reset = lastEventId === null ? {} : { event: "reset", data: { type: "reset" } };
    return { position: end.id, firstEvent: formatEvent({ id, ...reset }) };
  }

  #remove(accountId: string, stream: Stream): void {
    const streams = this.#accounts.get(accountId);
    if (!streams?.delete(stream) || streams.size > 0) return;
    this.#accounts.delete(accountId);
    if (this.#accounts.size === 0) this.#stopListening();
  }

  /** Checks all subscribers' sessions and keys in one query before sending anything. */
  onMessages(newMessages: ReadonlyMap<string, readonly FeedMessage[]>): void {
    this.#runGuarded(newMessages.keys(), () => {
      this.#endSignedOut(newMessages.keys());
      for (const [accountId, messages] of newMessages) {
        const streams = [...this.#streamsOf(accountId)].filter(({ isBehind }) => !isBehind);
        this.#deliver(accountId, messages, streams);
      }
    });
  }

  #catchUp(accountId: string, stream: Stream): void {
    this.#runGuarded([accountId], () => {
      this.#endSignedOut([accountId]);
      const messages = readFeed(this.ctx, accountId, stream.position, PAGE_SIZE);
      stream.isBehind = messages.length === PAGE_SIZE;
      this.#deliver(accountId, messages, [stream]);
    });
  }

  #deliver(accountId: string, messages: readonly FeedMessage[], streams: Stream[]): void {
    const newestId = messages.at(-1)?.id ?? 0;
    const encoded = new Map<number, Uint8Array>();
    for (const stream of streams) {
      const { position, sink } = stream;
      if (position >= newestId) continue;
      const bytes = encoded.get(position) ?? this.#encode(accountId, messages, position);
      encoded.set(position, bytes);
      stream.position = newestId;
      sink.send(bytes);
    }
  }

  #encode(accountId: string, messages: readonly FeedMessage[], position: number): Uint8Array {
    const text = messages
      .filter(({ id }) => id > position)
      .map((message) => {
        const data = { type: message.type, ...message.ids };
        return formatEvent({ id: this.#ids.make(accountId, message), data });
      });
    return Buffer.from(text.join(""));
  }

  #endSignedOut(accountIds: Iterable<string>): void {
    const subscribers = Array.from(accountIds, (id) => [...this.#streamsOf(id)]).flat();
    const credentials = subscribers.map(({ credential }) => credential);
    const active = activeCredentials(this.ctx, credentials);
    for (const { credential, sink } of subscribers) if (!active.has(credential)) sink.close();
  }

  #close(accountIds: Iterable<string>): void {
    for (const id of accountIds) for (const { sink } of this.#streamsOf(id)) sink.close();
  }

  #runGuarded(accountIds: Iterable<string>, work: () => void): void {
    try {
      work();
    } catch (error) {
      this.ctx.log.error({ err: error }, "the event streams of an account failed");
      this.#close(accountIds);
    }
  }

  #streamsOf = (accountId: string): ReadonlySet<Stream> =>
    this.#accounts.get(accountId) ?? new Set();
}
