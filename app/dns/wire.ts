import { canonicalAddress } from "./address.ts";
import { ROOT } from "./names.ts";

/** The bytes are no DNS message. */
export class Malformed extends Error {}

/** RFC 1035 section 2.3.4, in octets. */
const MAX_NAME = 255;
const POINTER = 0xc0;
const DOT = 0x2e;

const scratch = Buffer.alloc(MAX_NAME);

/** Reads a DNS message from front to back. Whatever does not fit throws Malformed. */
export class Cursor {
  constructor(
    private readonly bytes: Buffer,
    public at: number,
  ) {}

  need(count: number): void {
    if (this.at + count > this.bytes.length) throw new Malformed();
  }

  skip(count: number): void {
    this.need(count);
    this.at += count;
  }

  word(): number {
    this.need(2);
    const value = this.bytes.readUInt16BE(this.at);
    this.at += 2;
    return value;
  }

  long(): number {
    this.need(4);
    const value = this.bytes.readUInt32BE(this.at);
    this.at += 4;
    return value;
  }

  /** The next bytes, not copied. */
  take(count: number): Buffer {
    this.need(count);
    this.at += count;
    return this.bytes.subarray(this.at - count, this.at);
  }

  /**
   * A name in lower case (A to Z alone, RFC 4343), decoded as UTF-8. Compression pointers (RFC 1035 section 4.1.4)
   * lead further to the front each time, or there would be no end.
   */
  name(): string {
    const size = this.readName(true);
    return size === 0 ? ROOT : scratch.toString("utf8", 0, size - 1);
  }

  /** Past a name nobody needs, as strictly as if it were needed. */
  skipName(): void {
    this.readName(false);
  }

  /** Octets of the name, each label's dot included; the name itself, where it is kept, is left in `scratch`. */
  private readName(keep: boolean): number {
    const { bytes } = this;
    let at = this.at;
    let front = at;
    let after = 0;
    let size = 0;
    for (;;) {
      const length = bytes[at];
      if (length === undefined) throw new Malformed();
      if (length === 0) break;
      if (length >= POINTER) {
        const target = ((length & 0x3f) << 8) | (bytes[at + 1] ?? 0);
        if (target >= front || at + 1 >= bytes.length) throw new Malformed();
        if (after === 0) after = at + 2;
        front = target;
        at = target;
        continue;
      }
      if (length > 63 || at + length >= bytes.length || size + length + 2 > MAX_NAME)
        throw new Malformed();
      if (keep) {
        for (let index = 1; index <= length; index += 1) {
          const byte = bytes[at + index] ?? 0;
          scratch[size + index - 1] = byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte;
        }
        scratch[size + length] = DOT;
      }
      size += length + 1;
      at += 1 + length;
    }
    this.at = after === 0 ? at + 1 : after;
    return size;
  }

  ipv4(): string {
    this.need(4);
    const { bytes, at } = this;
    this.at += 4;
    return `${bytes[at]}.${bytes[at + 1]}.${bytes[at + 2]}.${bytes[at + 3]}`;
  }

  /** In the spelling of RFC 5952. */
  ipv6(): string {
    const groups = Array.from({ length: 8 }, () => this.word().toString(16));
    const address = canonicalAddress(groups.join(":"));
    if (address === null) throw new Malformed();
    return address;
  }

  /** Character strings up to `end`, joined (RFC 1035 section 3.3.14), decoded as UTF-8. */
  strings(end: number): string {
    const parts: Buffer[] = [];
    while (this.at < end) {
      const length = this.bytes[this.at] ?? 0;
      this.at += 1;
      if (this.at + length > end) throw new Malformed();
      parts.push(this.take(length));
    }
    return Buffer.concat(parts).toString("utf8");
  }
}
