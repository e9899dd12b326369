import { createCipheriv, createDecipheriv, createHash } from "node:crypto";
import type { FeedPlace } from "#app/core/feed/feed.server.ts";
import type { Secrets } from "#app/http/app.server.ts";
import { keyedHash } from "#app/http/caller/secrets.server.ts";

/** One block of AES, so that encrypting it without a chain is a keyed permutation. */
const CIPHER = "aes-256-ecb";
const NUMBER_BYTES = 6;

/** Four bytes, so that an id of another account, or of another key, is known for one. */
const markOf = (accountId: string): Buffer =>
  createHash("sha256").update(accountId).digest().subarray(0, 4);

/**
 * The ids of account streams: places in the feed, encrypted under the newest secret, because the feed numbers the
 * changes of all accounts. 22 characters.
 */
export class EventIds {
  readonly #key: Buffer;

  constructor(secrets: Secrets) {
    this.#key = Buffer.from(keyedHash(secrets, "event ids"), "base64url");
  }

  of(accountId: string, { id, at }: FeedPlace): string {
    const block = Buffer.alloc(2 * NUMBER_BYTES);
    block.writeUIntBE(id, 0, NUMBER_BYTES);
    block.writeUIntBE(at, NUMBER_BYTES, NUMBER_BYTES);
    const cipher = createCipheriv(CIPHER, this.#key, null).setAutoPadding(false);
    return cipher.update(Buffer.concat([block, markOf(accountId)])).toString("base64url");
  }

  /** The place that `text` stands for; null if it is no id of this account under the newest secret. */
  read(accountId: string, text: string): FeedPlace | null {
    if (!/^[\w-]{22}$/.test(text)) return null;
    const decipher = createDecipheriv(CIPHER, this.#key, null).setAutoPadding(false);
    const block = decipher.update(Buffer.from(text, "base64url"));
    if (!block.subarray(2 * NUMBER_BYTES).equals(markOf(accountId))) return null;
    return {
      id: block.readUIntBE(0, NUMBER_BYTES),
      at: block.readUIntBE(NUMBER_BYTES, NUMBER_BYTES),
    };
  }
}
