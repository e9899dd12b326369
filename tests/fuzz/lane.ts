import { createReader } from "@deed/dns/resolve/create-reader.ts";
import type { Reader } from "@deed/dns/resolve/reader.ts";
import { encodeAnswer, type LabQuery } from "@deed/dns/testing/lab-server.ts";
import { answerFrom, empty, type LabAnswer } from "@deed/dns/testing/lab-zone.ts";
import type { Net } from "@deed/dns/testing/world.ts";
import { Chance, hashOf } from "./chance.ts";
import { type ClaimRead, type Place, readClaim } from "./claim-reads.ts";
import { forge } from "./forger.ts";
import { answering } from "./manners.ts";
import { FIRST_RESOLVER, resolved } from "./resolvers.ts";
import type { Sent } from "./simulated-wire.ts";
import { growTree, ROOT_HOST, SIX, type ZoneTree, zonesOf } from "./zone-tree.ts";

const TRUNCATED = 0x200;

/** The reads of a claim; `isOwn`: in which of them most resolvers knew the last zone by its own list of nameservers. */
export type Outcome = { tree: ZoneTree; reads: ClaimRead[]; isOwn: boolean[] };

const isOwnList = ({ levels }: ZoneTree, { answers }: LabAnswer): boolean => {
  const { zone, own } = levels.at(-1) ?? { zone: "", own: [] };
  const given = answers.flatMap((one) =>
    one.type === "NS" && one.name === zone ? [one.data] : [],
  );
  return own.length === given.length && own.every(({ host }) => given.includes(host));
};

/** One claim at a time: its zones, who controls what, and the time. */
export class Lane {
  tree: ZoneTree | null = null;
  private seed = 0;
  private round = 0;
  private first = 0;
  private readonly asked = new Map<string, number>();
  /** How many resolvers named the last zone's own nameservers, by read. */
  private listed: number[] = [];
  private readonly readers = new Map<number, Reader>();

  constructor(
    private readonly net: Net,
    private readonly port: number,
    private readonly now: () => number,
    private readonly skip: (ms: number) => void,
    private readonly isQuick: boolean,
  ) {}

  /** What a server sends back; null if nothing listens. */
  reply(address: string, query: LabQuery): Sent[] | null {
    const { tree, seed, round } = this;
    const machine = tree?.servers.get(address);
    const { name, type, transport } = query;
    const time = this.now() - this.first;
    const sent = (answer: LabAnswer, afterMs: number, flags = 0) => [
      { bytes: encodeAnswer(query, answer, flags), afterMs },
    ];
    const index = [0, 1, 2].findIndex((one) => this.net.at(FIRST_RESOLVER + one) === address);
    if (tree && index >= 0) {
      const answer = resolved({ tree, seed, index, round, name, type, time });
      if (type === "NS" && isOwnList(tree, answer))
        this.listed[round] = (this.listed[round] ?? 0) + 1;
      return sent(answer, 50);
    }
    if (!tree || !machine) return [];
    if (machine.hold === "dead")
      return hashOf(address) % 2 && !this.isQuick ? [] : sent(empty(5, false), 20);
    const key = `${address} ${name} ${type} ${transport} ${round}`;
    const times = this.asked.get(key) ?? 0;
    this.asked.set(key, times + 1);
    const how = answering(machine.manner, query, time, times);
    const { delayMs } = machine.manner;
    if (how.type === "closed") return null;
    if (how.type === "silent") return [];
    if (how.type === "refuses") return sent(empty(5, false), delayMs);
    if (how.isLowered) query.rawName = name;
    if (machine.hold === "honest")
      return sent(
        answerFrom(zonesOf(machine, transport, time), name, type) ?? empty(5, false),
        delayMs,
      );
    const { answer, truncated } = forge({ tree, seed, address, query, time, at: this.net.at });
    return sent(answer, delayMs, truncated ? TRUNCATED : 0);
  }

  /** Reads the zones generated from this seed. */
  async read(seed: number): Promise<Outcome> {
    this.seed = seed;
    const chance = new Chance(seed);
    const tree = growTree(chance, this.net.at, this.isQuick);
    this.tree = tree;
    this.first = this.now();
    this.asked.clear();
    this.listed = [];
    const place: Place = {
      reader: this.readerWith(tree.resolvers),
      now: this.now,
      skip: this.skip,
      begin: (round) => {
        this.round = round;
      },
    };
    const reads = await readClaim(place, tree.domain, chance);
    const isOwn = reads.map((_, round) => (this.listed[round] ?? 0) * 2 > tree.resolvers);
    return { tree, reads, isOwn };
  }

  private readerWith(resolvers: number): Reader {
    const known = this.readers.get(resolvers);
    if (known) return known;
    const { net, port } = this;
    const reader = createReader({
      rootHints: [{ host: "a.root", addresses: [net.at(ROOT_HOST)] }],
      trustAnchors: [],
      witnesses: Array.from({ length: resolvers }, (_, index) => ({
        name: `resolver${index + 1}`,
        address: net.at(FIRST_RESOLVER + index),
        port,
      })),
      allowAddresses: [`${net.prefix}.0/24`, SIX],
      packetsPerAddress: [{ count: 1e9, seconds: 1 }],
      port,
      clock: this.now,
    });
    this.readers.set(resolvers, reader);
    return reader;
  }

  close(): void {
    for (const reader of this.readers.values()) reader.close();
  }
}
