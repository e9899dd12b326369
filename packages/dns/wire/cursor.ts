import { MAX_HOPS, MAX_NAME, Malformed, Octets, POINTER } from "../dnssec/records.ts";
import { lowerCase, ROOT } from "../names.ts";

/** Steps that a message may cost per octet: octets of a name, pointers, and character strings. Honest ones need two. */
export const STEPS_PER_OCTET = 4;
/** A name or its suffix: the text without the last dot (empty for the root), its octets, and its pointers. */
type Name = { text: string; octets: number; hops: number };

/** Reads a DNS message from front to back. Throws Malformed. */
export class Cursor extends Octets {
  steps = 0;
  /** Suffixes by pointer target, each read once, however many names share it. */
  private readonly known = new Map<number, Name>();

  constructor(
    protected override readonly bytes: Buffer,
    at: number,
  ) {
    super(bytes, at);
  }

  /**
   * Lower-cases A to Z only (RFC 4343), one character per octet, so that distinct names stay distinct. Each pointer
   * (RFC 1035 section 4.1.4) must lead further to the front, and at most ten are followed.
   */
  override name(): string {
    return this.readName(this.at, 0).text || ROOT;
  }

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

  /** In its canonical form (RFC 5952), as URLs have it. */
  address(length: 4 | 16): string {
    const octets = this.take(length);
    if (length === 4) return octets.join(".");
    const groups = Buffer.from(octets).toString("hex").match(/.{4}/g) ?? [];
    return new URL(`http://[${groups.join(":")}]`).hostname.slice(1, -1);
  }

  /** Reads character strings to `end`, or past it, joined (RFC 1035 section 3.3.14), decoded as UTF-8. */
  strings(end: number): string {
    const strings: Uint8Array[] = [];
    while (this.at < end) {
      this.spendSteps(1);
      strings.push(this.take(this.byte()));
    }
    return Buffer.concat(strings).toString("utf8");
  }
}
