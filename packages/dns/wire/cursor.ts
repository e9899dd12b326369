import { Malformed, Octets } from "../dnssec/records.ts";
import { lowerCase, ROOT } from "../names.ts";

/** Steps that a message may take per octet, for octets of names, pointers and strings. Honest messages take two. */
export const STEPS_PER_OCTET = 4;

/** Reads a DNS message from front to back. Throws Malformed. */
export class Cursor extends Octets {
  steps = 0;
  constructor(
    protected override readonly bytes: Buffer,
    at: number,
  ) {
    super(bytes, at);
  }

  /** Lower-cases A to Z only (RFC 4343), one character per octet, so that distinct names stay distinct. */
  override name(): string {
    const { labels } = this.spelling(true);
    const texts = labels.map(([from, to]) => this.bytes.toString("latin1", from, to));
    return lowerCase(texts.join(".")) || ROOT;
  }

  protected override spend(steps: number): void {
    if (this.steps + steps > STEPS_PER_OCTET * this.bytes.length) throw new Malformed();
    this.steps += steps;
  }

  /** Reads an address in canonical form (RFC 5952), as in URLs. */
  address(length: 4 | 16): string {
    const octets = this.take(length);
    if (length === 4) return octets.join(".");
    const groups = Buffer.from(octets).toString("hex").match(/.{4}/g) ?? [];
    return new URL(`http://[${groups.join(":")}]`).hostname.slice(1, -1);
  }

  /** Reads character strings to `end`, or past it, and joins them (RFC 1035 section 3.3.14), decoded as UTF-8. */
  strings(end: number): string {
    const strings: Uint8Array[] = [];
    while (this.at < end) {
      this.spend(1);
      strings.push(this.take(this.byte()));
    }
    return Buffer.concat(strings).toString("utf8");
  }
}
