import { createReader } from "@deed/dns/resolve/create-reader.ts";
import type { Reader } from "@deed/dns/resolve/reader.ts";
import { encodeAnswer, type LabQuery, readQuery } from "@deed/dns/testing/lab-server.ts";
import type { LabAnswer } from "@deed/dns/testing/lab-zone.ts";
import { netOf } from "@deed/dns/testing/world.ts";
import { Chance } from "./chance.ts";
import { type ClaimRead, readClaim } from "./claim-reads.ts";
import { FIRST_RESOLVER } from "./resolvers.ts";
import { SimulatedTime } from "./simulated-time.ts";
import { install, type Sent, uninstall } from "./simulated-wire.ts";
import { ROOT_HOST, SIX } from "./zone-tree.ts";

const START = Date.UTC(2026, 2, 12, 14);
export const NET = netOf(600);
const PORT = 53;

/** The number of the resolver at an address, from 0; -1 if there is none. */
export const resolverAt = (address: string): number =>
  [0, 1, 2].findIndex((one) => NET.at(FIRST_RESOLVER + one) === address);

/** A server's reply. */
export const sent = (query: LabQuery, answer: LabAnswer, afterMs: number, flags = 0): Sent[] => [
  { bytes: encodeAnswer(query, answer, flags), afterMs },
];

/** Zones that the reader reads over simulated sockets and time, one claim after another. */
export type Scene = {
  /** A server's reply; null if nothing listens. `round`: the number of the claim's read. */
  reply(address: string, query: LabQuery, time: number, round: number): Sent[] | null;
  hasIpv6: boolean;
  resolvers: number;
  domain: string;
};

export class SimulatedWorld {
  private readonly time = new SimulatedTime(new Chance(0));
  private readonly now = () => START + Math.floor(this.time.now);
  private readonly readers = new Map<number, Reader>();
  private scene: Scene | null = null;
  private round = 0;
  private first = 0;

  constructor() {
    install(this.time, {
      ask: (address, transport, bytes) => {
        const query = readQuery(bytes, transport);
        const { scene, round } = this;
        return query && scene ? scene.reply(address, query, this.now() - this.first, round) : [];
      },
      hasRoute: (address) => !address.includes(":") || this.scene?.hasIpv6 === true,
    });
    this.time.install();
  }

  /** The reads of a claim. The same seed gives the same letters, ports and moments. */
  read(seed: number, scene: Scene, chance = new Chance(seed)): Promise<ClaimRead[]> {
    this.time.chance = new Chance(seed);
    Object.assign(this, { scene, first: this.now() });
    const place = {
      reader: this.readerWith(scene.resolvers),
      now: this.now,
      skip: (ms: number) => this.time.skip(ms),
      begin: (round: number) => {
        this.round = round;
      },
    };
    return this.time.until(readClaim(place, scene.domain, chance));
  }

  private readerWith(resolvers: number): Reader {
    const known = this.readers.get(resolvers);
    if (known) return known;
    const reader = createReader({
      rootHints: [{ host: "a.root", addresses: [NET.at(ROOT_HOST)] }],
      trustAnchors: [],
      witnesses: Array.from({ length: resolvers }, (_, index) => ({
        name: `resolver${index + 1}`,
        address: NET.at(FIRST_RESOLVER + index),
        port: PORT,
      })),
      allowAddresses: [`${NET.prefix}.0/24`, SIX],
      packetsPerAddress: [{ count: 1e9, seconds: 1 }],
      port: PORT,
      clock: this.now,
    });
    this.readers.set(resolvers, reader);
    return reader;
  }

  close(): void {
    this.time.uninstall();
    uninstall();
    for (const reader of this.readers.values()) reader.close();
  }
}
