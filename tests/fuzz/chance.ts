/** Seeded random numbers (mulberry32): the same seed makes the same choices. */
export class Chance {
  constructor(private state: number) {}

  /** Uniform in [0, 1). */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  below = (bound: number): number => Math.floor(this.next() * bound);
  holds = (probability: number): boolean => this.next() < probability;

  pick<T>(from: readonly T[]): T {
    const one = from[this.below(from.length)];
    if (one === undefined) throw new Error("nothing to pick from");
    return one;
  }

  /** The octets with one bit changed. */
  flipped(octets: Uint8Array): Uint8Array<ArrayBuffer> {
    const copy = Uint8Array.from(octets);
    const bit = this.below(8 * copy.length);
    copy[bit >> 3] = (copy[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    return copy;
  }

  some<T>(from: readonly T[]): T[] {
    return from.filter(() => this.holds(0.5));
  }
}

export function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1)
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}
