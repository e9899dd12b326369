/**
 * Searches for the DNS message that is most expensive to decode. Messages are grown record by record from a grammar of
 * expensive features; in each round, the most expensive ones are mutated and crossed.
 */

import { MAX_MESSAGE } from "@deed/dns/protocol.ts";
import { Cursor } from "@deed/dns/wire/cursor.ts";
import { decodeMessage } from "@deed/dns/wire/message.ts";

const HEADER = 12;
const MAX_RECORDS = 512;
const MAX_TARGET = 0x3fff;

/** An encoded name: labels of these lengths, then a pointer (a fraction of the way back, 0 to 1) or the end. */
type NameGene = { labels: number[]; fill: number; back: number | null };
type Kind = "NS" | "CNAME" | "SOA" | "TXT" | "A" | "AAAA" | "OPT" | "other";
type RecordGene = { owner: NameGene; kind: Kind; data: NameGene; sizes: number[]; fill: number };
type Genome = { question: NameGene; records: RecordGene[]; tail: number };

export type Found = { bytes: Buffer; steps: number; ms: number; generation: number };

/** Deterministic, so that a result can be reproduced. */
export function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

type Random = () => number;
const below = (random: Random, limit: number) => Math.floor(random() * limit);
const pick = <T>(random: Random, items: readonly T[]): T => items[below(random, items.length)] as T;

const TYPES: Record<Kind, number> = {
  NS: 2,
  CNAME: 5,
  SOA: 6,
  TXT: 16,
  A: 1,
  AAAA: 28,
  OPT: 41,
  other: 46,
};
const KINDS = Object.keys(TYPES) as Kind[];
const FILLS = [0x61, 0x41, 0x2e, 0xc3, 0xe2, 0xf0, 0xff, 0x00];

function someLabels(random: Random): number[] {
  switch (below(random, 6)) {
    case 0:
      return [];
    case 1:
      return [1];
    case 2:
      return Array.from({ length: 1 + below(random, 126) }, () => 1);
    case 3:
      return [63, 63, 63, below(random, 62) + 1];
    case 4:
      return [1 + below(random, 63)];
    default:
      return Array.from({ length: 1 + below(random, 8) }, () => 1 + below(random, 30));
  }
}

const someName = (random: Random): NameGene => ({
  labels: someLabels(random),
  fill: pick(random, FILLS),
  back: random() < 0.8 ? random() : null,
});

const someRecord = (random: Random): RecordGene => ({
  owner: someName(random),
  kind: pick(random, KINDS),
  data: someName(random),
  sizes: Array.from({ length: below(random, 40) }, () =>
    random() < 0.7 ? below(random, 4) : below(random, 256),
  ),
  fill: pick(random, FILLS),
});

class Writer {
  readonly bytes = Buffer.alloc(MAX_MESSAGE);
  at = HEADER;
  /** Offsets of labels and pointers, as targets for pointers. */
  readonly starts: number[] = [];

  fits = (count: number) => this.at + count <= this.bytes.length;
  put(...octets: number[]): void {
    for (const octet of octets) {
      if (this.at < this.bytes.length) this.bytes[this.at] = octet & 0xff;
      this.at += 1;
    }
  }
  name({ labels, fill, back }: NameGene): void {
    const from = this.at;
    const known = this.starts.length;
    for (const length of labels) {
      this.starts.push(this.at);
      this.put(length);
      for (let count = 0; count < length; count += 1) this.put(fill);
    }
    // An earlier offset: 1 is the furthest back, 0 the nearest.
    const place = Math.min(known - 1, Math.floor(known * (1 - (back ?? 0))));
    const target = this.starts[place];
    if (back === null || target === undefined || target >= from || target > MAX_TARGET) {
      this.put(0);
      return;
    }
    this.starts.push(this.at);
    this.put(0xc0 | (target >> 8), target);
  }
}

function written({ question, records, tail }: Genome): Buffer {
  const writer = new Writer();
  writer.name(question);
  writer.put(0, 16, 0, 1);
  let count = 0;
  for (const record of records) {
    const before = writer.at;
    writeRecord(writer, record);
    if (writer.at > MAX_MESSAGE - tail || count === MAX_RECORDS - 1) {
      writer.at = before;
      break;
    }
    count += 1;
  }
  const { bytes } = writer;
  bytes[2] = 0x84;
  bytes.writeUInt16BE(1, 4);
  bytes.writeUInt16BE(count, 6);
  return Buffer.from(bytes.subarray(0, writer.at));
}

function writeRecord(writer: Writer, { owner, kind, data, sizes, fill }: RecordGene): void {
  writer.name(owner);
  writer.put(0, TYPES[kind], 0, 1, 0, 0, 0, 9, 0, 0);
  const from = writer.at;
  if (kind === "NS" || kind === "CNAME") writer.name(data);
  else if (kind === "SOA") {
    writer.name(data);
    writer.name(data);
    writer.put(...Array.from({ length: 20 }, () => fill));
  } else if (kind === "A") writer.put(fill, fill, 0, 1);
  else if (kind === "AAAA") writer.put(...Array.from({ length: 16 }, (_, at) => fill ^ at));
  else if (kind === "TXT")
    for (const size of sizes) writer.put(size, ...Array.from({ length: size }, () => fill));
  else if (kind === "OPT")
    for (const size of sizes)
      writer.put(0, 15, 0, size + 2, 0, 9, ...Array.from({ length: size }, () => fill));
  else writer.put(...Array.from({ length: sizes.length }, () => fill));
  const length = writer.at - from;
  if (from >= 2 && writer.fits(0)) writer.bytes.writeUInt16BE(length & 0xffff, from - 2);
}

function mutated(random: Random, { question, records, tail }: Genome): Genome {
  const next = records.slice();
  for (let count = 1 + below(random, 4); count > 0; count -= 1) {
    const at = below(random, next.length);
    const chosen = next[at] ?? someRecord(random);
    switch (below(random, 7)) {
      case 0:
        next[at] = someRecord(random);
        break;
      case 1:
        next[at] = { ...chosen, owner: someName(random) };
        break;
      case 2:
        next[at] = { ...chosen, data: someName(random) };
        break;
      case 3:
        // Repeats one record many times, which is what makes most messages expensive.
        next.splice(
          at,
          below(random, 300),
          ...Array.from({ length: below(random, 300) }, () => chosen),
        );
        break;
      case 4:
        next[at] = { ...chosen, kind: pick(random, KINDS) };
        break;
      case 5:
        next[at] = {
          ...chosen,
          owner: { ...chosen.owner, back: random() },
          data: { ...chosen.data, back: random() },
        };
        break;
      default:
        next.splice(at, 1);
    }
  }
  return {
    question: random() < 0.1 ? someName(random) : question,
    records: next.length > 0 ? next.slice(0, 600) : [someRecord(random)],
    tail: random() < 0.05 ? below(random, MAX_MESSAGE - 600) : tail,
  };
}

/** Milliseconds to decode it: the minimum of `tries`, because other load only adds time. */
export function timed(bytes: Buffer, tries: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let count = 0; count < tries; count += 1) {
    const started = performance.now();
    decodeMessage(bytes);
    least = Math.min(least, performance.now() - started);
  }
  return least;
}

/** Decoder steps counted for a message. */
export function stepsOf(bytes: Buffer): number {
  const cursor = new Cursor(bytes, HEADER);
  decodeMessage(bytes, cursor);
  return cursor.steps;
}

const POPULATION = 40;
const KEPT = 8;

/** The most expensive message found within the generations, by steps, steps per octet or time. */
export function worstMessage(
  by: "steps" | "steps an octet" | "time",
  generations: number,
  random: Random,
): Found {
  const cost = (bytes: Buffer) =>
    by === "time" ? timed(bytes, 3) : stepsOf(bytes) / (by === "steps" ? 1 : bytes.length);
  const first = (): Genome => ({
    question: someName(random),
    records: Array.from({ length: 1 + below(random, 400) }, () => someRecord(random)),
    tail: 0,
  });
  const measured = (genome: Genome, generation: number) => {
    const bytes = written(genome);
    return { genome, bytes, cost: cost(bytes), generation };
  };
  let population = Array.from({ length: POPULATION }, () => measured(first(), 0));
  for (let generation = 1; generation <= generations; generation += 1) {
    const kept = population.sort((a, b) => b.cost - a.cost).slice(0, KEPT);
    const children = Array.from({ length: POPULATION - KEPT }, () => {
      const parent = pick(random, kept).genome;
      if (random() < 0.2) {
        const other = pick(random, kept).genome;
        const cut = below(random, parent.records.length);
        const records = [...parent.records.slice(0, cut), ...other.records.slice(cut)];
        return measured(mutated(random, { ...parent, records }), generation);
      }
      return measured(mutated(random, parent), generation);
    });
    population = [...kept, ...children];
  }
  const [best] = population.sort((a, b) => b.cost - a.cost);
  if (!best) throw new Error("a population is never empty");
  const { bytes, generation } = best;
  return { bytes, steps: stepsOf(bytes), ms: timed(bytes, 20), generation };
}
