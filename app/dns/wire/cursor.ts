import { ROOT } from "../names.ts";

/** The bytes are not a DNS message. */
export class Malformed extends Error {}

/** RFC 1035 section 2.3.4, in octets. */
const MAX_NAME = 255;
/** Compression pointers followed in one name; servers write one. */
const MAX_HOPS = 10;
/**
 * Steps that a message may cost per octet. A step is one octet read of a name, a pointer, or a character string. An
 * honest message needs two: a name is read in place, and once more when first pointed at.
 */
export const STEPS_PER_OCTET = 4;
const POINTER = 0xc0;
const DOT = 0x2e;
const COLON = 0x3a;
const HEX = Buffer.from("0123456789abcdef");

/** Maps each octet to itself, and A to Z to lower case. */
const LOWER = Uint8Array.from({ length: 256 }, (_, octet) =>
  octet >= 0x41 && octet <= 0x5a ? octet + 0x20 : octet,
);

const labels = Buffer.alloc(MAX_NAME);
const text = Buffer.alloc(0xffff);

/** A name or its suffix: the text without the last dot (empty for the root), its octets, and its pointers. */
type Name = { text: string; octets: number; hops: number };

/** Reads a DNS message from front to back. Throws Malformed for invalid input. */
export class Cursor {
  /** Steps used so far: at most STEPS_PER_OCTET per octet of the message. */
  steps = 0;
  /** Suffixes by pointer target, each read once, however many names share it. */
  private readonly known = new Map<number, Name>();

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

  byte(): number {
    this.need(1);
    this.at += 1;
    return this.octet(this.at - 1);
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

  /** The bytes up to `end`, in hex. */
  hex(end: number): string {
    if (end < this.at) throw new Malformed();
    const start = this.at;
    this.skip(end - start);
    return this.bytes.toString("hex", start, end);
  }

  /** The next `count` bytes as UTF-8, without advancing. */
  peek(count: number): string {
    this.need(count);
    return this.bytes.toString("utf8", this.at, this.at + count);
  }

  /**
   * Reads a name in lower case (A to Z only, RFC 4343), one character per octet, so that distinct names stay distinct.
   * Compression pointers (RFC 1035 section 4.1.4) must point further to the front each time; at most ten are followed.
   */
  name(): string {
    return this.readName(this.at, 0).text || ROOT;
  }

  /** Skips a name with the same strictness as `name`. */
  skipName(): void {
    this.readName(this.at, 0);
  }

  /** The name at `start`, reached by `hops` pointers; leaves the cursor after its encoding there. */
  private readName(start: number, hops: number): Name {
    const end = this.readLabels(start);
    const size = end - start;
    this.spendSteps(size + 1);
    const own = size === 0 ? "" : labels.toString("latin1", 0, size - 1);
    const last = this.octet(end);
    this.at = end + 1;
    if (last === 0) return { text: own, octets: size + 1, hops: 0 };
    const target = ((last & 0x3f) << 8) | this.octet(end + 1);
    if (target >= start || hops === MAX_HOPS) throw new Malformed();
    const rest = this.known.get(target) ?? this.readName(target, hops + 1);
    this.known.set(target, rest);
    this.at = end + 2;
    const name = {
      text: own && rest.text ? `${own}.${rest.text}` : own || rest.text,
      octets: size + rest.octets,
      hops: rest.hops + 1,
    };
    if (name.octets > MAX_NAME || hops + name.hops > MAX_HOPS) throw new Malformed();
    return name;
  }

  /** Copies the labels at `start` into `labels`, each followed by a dot; returns where they end. */
  private readLabels(start: number): number {
    const { bytes } = this;
    let at = start;
    for (;;) {
      const length = this.octet(at);
      if (length === 0 || length >= POINTER) return at;
      const size = at - start;
      if (length > 63 || at + length >= bytes.length || size + length + 2 > MAX_NAME)
        throw new Malformed();
      const next = at + length + 1;
      let put = size;
      for (at += 1; at < next; at += 1) {
        labels[put] = LOWER[bytes[at] ?? 0] ?? 0;
        put += 1;
      }
      labels[put] = DOT;
    }
  }

  private octet(at: number): number {
    const octet = this.bytes[at];
    if (octet === undefined) throw new Malformed();
    return octet;
  }

  private spendSteps(steps: number): void {
    if (this.steps + steps > STEPS_PER_OCTET * this.bytes.length) throw new Malformed();
    this.steps += steps;
  }

  ipv4(): string {
    this.need(4);
    const { bytes, at } = this;
    this.at += 4;
    return `${bytes[at]}.${bytes[at + 1]}.${bytes[at + 2]}.${bytes[at + 3]}`;
  }

  /** Formats per RFC 5952: no leading zeros, the first longest run of at least two zero groups as "::". */
  ipv6(): string {
    this.need(16);
    const { bytes, at } = this;
    this.at += 16;
    let [gap, gapLength, run] = [0, 1, 0];
    for (let group = 0; group < 8; group += 1) {
      const isZero = bytes[at + 2 * group] === 0 && bytes[at + 2 * group + 1] === 0;
      run = isZero ? run + 1 : 0;
      if (run > gapLength) [gap, gapLength] = [group + 1 - run, run];
    }
    let size = 0;
    const put = (code: number) => {
      text[size] = code;
      size += 1;
    };
    for (let group = 0; group < 8; group += 1) {
      if (gapLength > 1 && group === gap) {
        put(COLON);
        if (gap + gapLength === 8) put(COLON);
        group += gapLength - 1;
        continue;
      }
      if (group > 0) put(COLON);
      const value = bytes.readUInt16BE(at + 2 * group);
      for (
        let shift = value > 0xfff ? 12 : value > 0xff ? 8 : value > 0xf ? 4 : 0;
        shift >= 0;
        shift -= 4
      )
        put(HEX[(value >> shift) & 0xf] ?? 0);
    }
    return text.toString("latin1", 0, size);
  }

  /** Reads character strings up to `end`, joined (RFC 1035 section 3.3.14), decoded as UTF-8. */
  strings(end: number): string {
    const { bytes } = this;
    let size = 0;
    while (this.at < end) {
      this.spendSteps(1);
      const next = this.at + 1 + this.octet(this.at);
      if (next > end) throw new Malformed();
      for (let at = this.at + 1; at < next; at += 1) {
        text[size] = bytes[at] ?? 0;
        size += 1;
      }
      this.at = next;
    }
    return text.toString("utf8", 0, size);
  }
}
