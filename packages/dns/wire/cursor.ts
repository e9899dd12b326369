import ipaddr from "ipaddr.js";
import { lowerCase, ROOT } from "../names.ts";

export class Malformed extends Error {}

/** RFC 1035 section 2.3.4, in octets. */
const MAX_NAME = 255;
/** Compression pointers followed in one name; servers write one. */
const MAX_HOPS = 10;
/** Steps that a message may cost per octet: octets of a name, pointers, and character strings. Honest ones need two. */
export const STEPS_PER_OCTET = 4;
const POINTER = 0xc0;
/** A name or its suffix: the text without the last dot (empty for the root), its octets, and its pointers. */
type Name = { text: string; octets: number; hops: number };

/** Throws Malformed. */
export class Cursor {
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

  peek(count: number): string {
    this.need(count);
    return this.bytes.toString("utf8", this.at, this.at + count);
  }

  /** Lower case of A to Z only (RFC 4343). Pointers (RFC 1035 section 4.1.4) lead to the front, at most ten of them. */
  name(): string {
    return this.readName(this.at, 0).text || ROOT;
  }

  /** The name at `start`, reached by `hops` pointers; leaves the cursor after its encoding there. */
  private readName(start: number, hops: number): Name {
    const labels: string[] = [];
    let end = start;
    for (let length = this.octet(end); length > 0 && length < POINTER; length = this.octet(end)) {
      const next = end + length + 1;
      if (length > 63 || next > this.bytes.length || next - start >= MAX_NAME)
        throw new Malformed();
      labels.push(this.bytes.toString("latin1", end + 1, next));
      end = next;
    }
    const size = end - start;
    this.spendSteps(size + 1);
    const own = lowerCase(labels.join("."));
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

  private octet(at: number): number {
    const octet = this.bytes[at];
    if (octet === undefined) throw new Malformed();
    return octet;
  }

  private spendSteps(steps: number): void {
    if (this.steps + steps > STEPS_PER_OCTET * this.bytes.length) throw new Malformed();
    this.steps += steps;
  }

  address(length: 4 | 16): string {
    const start = this.at;
    this.skip(length);
    return ipaddr.fromByteArray([...this.bytes.subarray(start, this.at)]).toString();
  }

  /** Reads character strings up to `end`, joined (RFC 1035 section 3.3.14), decoded as UTF-8. */
  strings(end: number): string {
    const strings: Buffer[] = [];
    while (this.at < end) {
      this.spendSteps(1);
      const next = this.at + 1 + this.octet(this.at);
      if (next > end) throw new Malformed();
      strings.push(this.bytes.subarray(this.at + 1, next));
      this.at = next;
    }
    return Buffer.concat(strings).toString("utf8");
  }
}
