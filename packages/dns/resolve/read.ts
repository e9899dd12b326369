import { setMaxListeners } from "node:events";
import { isIPv4 } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { isRegistry } from "../names.ts";
import type { Exchange, Failure, Limit } from "../verdict/observation.ts";
import { addressPolicy } from "../wire/address.ts";
import { type Message, shuffled } from "../wire/message.ts";
import { secureChannels } from "../wire/secure.ts";
import { type LargeTurn, UdpSockets } from "../wire/transport.ts";
import { Pacer, type PacketRate, SingleFlight } from "./pacer.ts";
import type { Cut, Endpoint, GluedCut, ReaderSettings, WantedRecord } from "./reader.ts";
import { rootZone } from "./root-hints.ts";

/** The packets of a read of a zone with at most thirteen nameservers. */
export const MAX_PACKETS = 60;
export const MAX_REFERRALS = 16;
/** The most nameservers to ask: of a zone on the way, and of the zone that decides. */
export const MAX_NAMESERVERS = 13;
export const MAX_DECIDING = 32;
const EXTRA_PACKETS = 4;
/** The packets of a read. Each nameserver over thirteen adds some. */
export const packetsFor = (hostCount: number) =>
  MAX_PACKETS + EXTRA_PACKETS * Math.max(0, Math.min(hostCount, MAX_DECIDING) - MAX_NAMESERVERS);
export const MAX_ADDRESSES = 2;
export const READ_TIMEOUT_MS = 20_000;
const IN_FLIGHT_TO_ONE_ADDRESS = 10;
const PACKETS_TO_ONE_ADDRESS: PacketRate[] = [{ count: 50, seconds: 1 }];
/** How long the first question to an address waits for packets of other reads, if nobody waits for its read. */
const FIRST_WAIT_MS = 250;
/** How long any other question waits for packets of other reads. All packets of one read take less. */
const LONGEST_WAIT_MS = 5_000;

/** The reply to one question at one address. `failure` says why it is no answer; null if it is one. */
export type Reply<F = Failure> =
  | { message: Message; failure: Failure | null; latencyMs: number }
  | { message: null; failure: F };

/** What all reads share. */
export function networkOf(settings: ReaderSettings) {
  const { rootHints, witnesses, outsiders = [], clock = Date.now, patience = 1 } = settings;
  const { packetsPerAddress = PACKETS_TO_ONE_ADDRESS } = settings;
  const roots = rootHints.flatMap(({ addresses }) => addresses);
  const unpaced = new Set([...roots, ...witnesses.map(({ address }) => address)]);
  return {
    ...{ settings, clock, patience, root: rootZone(rootHints) },
    channels: secureChannels([...witnesses, ...outsiders], settings.authorities),
    pacer: new Pacer(packetsPerAddress, unpaced, IN_FLIGHT_TO_ONE_ADDRESS),
    permits: addressPolicy(settings.allowAddresses, settings.denyAddresses),
  };
}

export class Read {
  wanted: WantedRecord = { type: "TXT", token: "", accepted: [] };
  readonly at: number;
  readonly exchanges: Exchange[];
  signed: { name: string; bytes: Buffer }[] = [];
  readonly cuts = new Map<string, Cut>();
  /** Addresses from in-bailiwick glue and hints, by host. */
  readonly glue = new Map<string, string[]>();
  /** Cuts that were followed because of one server only, with that server and its glue, by zone. */
  readonly followed = new Map<string, GluedCut & { server: Endpoint }>();
  readonly settled = new Set<string>();
  readonly aliases = new Map<string, string>();
  /** Hosts in domains that the registry does not have. */
  readonly unregistered = new Set<string>();
  readonly lookups = new SingleFlight();
  /** At most one socket per packet: 60 per read, 3,000 with 50 reads in flight. */
  readonly udp: UdpSockets;
  /** The address at which this read would have waited too long for packets of other reads. */
  fullAddress: string | null = null;
  readonly tcpOnly: Set<string>;
  /** Addresses that did not answer a question, neither over UDP nor over TCP. */
  readonly mute = new Set<string>();
  /** Whether a server of a zone with nameservers' names answered its first question about them, by zone and host. */
  readonly heard = new Map<string, Promise<boolean>>();
  /** Servers of zones with nameservers' names that left a question unanswered. */
  readonly silent = new Set<string>();
  /** Hosts whose addresses come from a registry or from every server of the parent zone, not from a single server. */
  readonly trusted = new Set<string>();
  private readonly replies = new Map<string, Promise<Reply>>();
  private readonly orders = new Map<string, string[]>();
  private lastLargeTurn: Promise<void> = Promise.resolve();
  packets = 0;
  limit: Limit = null;
  private referrals = 0;
  readonly startedAt = performance.now();
  private readonly timer: NodeJS.Timeout;

  private readonly controller = new AbortController();
  readonly signal = this.controller.signal;
  private readonly abort = () => this.controller.abort();

  constructor(
    readonly network: ReturnType<typeof networkOf>,
    private readonly caller: AbortSignal,
    private readonly isAwaited: () => boolean = () => true,
    readonly budget = {
      packets: MAX_PACKETS,
      exchanges: [] as Exchange[],
      /** `asked` are the addresses asked so far, and `main` is the read beside which this one runs. */
      asked: new Set<string>(),
      main: null as Read | null,
    },
  ) {
    this.at = network.clock();
    this.exchanges = budget.exchanges;
    this.tcpOnly = budget.main?.tcpOnly ?? new Set();
    this.udp = new UdpSockets(network.settings.port);
    this.timer = setTimeout(() => {
      this.limit ??= "deadline";
      this.abort();
    }, READ_TIMEOUT_MS);
    // One signal may end many reads.
    setMaxListeners(0, caller);
    caller.addEventListener("abort", this.abort);
    this.addCut(network.root.cut, network.root.glue);
  }

  withOwnPackets(packets: number): Read {
    const budget = { ...this.budget, packets, main: this };
    const read = new Read(this.network, this.signal, this.isAwaited, budget);
    read.wanted = this.wanted;
    return read;
  }

  allowNameservers(count: number): void {
    this.budget.packets = Math.max(this.budget.packets, packetsFor(count));
  }

  get packetsLeft(): number {
    return this.budget.packets - this.packets;
  }

  get isOver(): boolean {
    return this.packetsLeft <= 0 || this.signal.aborted;
  }

  private hasPacket(): boolean {
    if (this.packetsLeft <= 0) this.limit ??= "packets";
    return !this.isOver;
  }

  hasRoom(address: string): boolean {
    return this.network.pacer.waitMs(address, this.isAwaited()) <= this.maxWaitMs(address);
  }

  private maxWaitMs(address: string): number {
    return this.budget.asked.has(address) || this.isAwaited() ? LONGEST_WAIT_MS : FIRST_WAIT_MS;
  }

  /** Waits until a question may be sent; its sender then leaves the pacer. False if the read is over or full. */
  async enter(address: string): Promise<boolean> {
    if (!this.hasPacket()) return false;
    const maxMs = this.maxWaitMs(address);
    // The read must not wait for its own questions.
    this.budget.asked.add(address);
    const turn = await this.network.pacer.enter(address, this.isAwaited(), maxMs, this.signal);
    if (turn === "full") this.endAsFull(address);
    return turn === "entered";
  }

  async spendPacket(address: string, isFirst: boolean): Promise<boolean> {
    if (!this.hasPacket()) return false;
    this.packets += 1;
    if (isFirst) return true;
    const ms = this.network.pacer.book(address, LONGEST_WAIT_MS);
    if (ms === null) this.endAsFull(address);
    else if (ms > 0) await sleep(ms, undefined, { signal: this.signal }).catch(() => {});
    if (this.signal.aborted) this.packets -= 1;
    return !this.signal.aborted;
  }

  private endAsFull(address: string): void {
    const read = this.budget.main ?? this;
    read.fullAddress ??= address;
    read.abort();
  }

  readonly largeTurn: LargeTurn = async () => {
    const previousTurn = this.lastLargeTurn;
    let leave = () => {};
    this.lastLargeTurn = new Promise((resolve) => (leave = resolve));
    await previousTurn;
    return leave;
  };

  refundPacket(entry: Exchange): void {
    this.packets -= 1;
    this.exchanges.splice(this.exchanges.indexOf(entry), 1);
  }

  /** Follows a cut. Returns it as this read first saw it; null after too many referrals. */
  follow({ cut, glue }: GluedCut, server: Endpoint): Cut | null {
    const existing = this.cuts.get(cut.zone);
    if (existing) return existing;
    if (!this.countReferral()) return null;
    this.addCut(cut, glue);
    this.followed.set(cut.zone, { cut, glue, server });
    return cut;
  }

  /** Replaces the lookup's cut by the one that every server of its parent shows. False after too many referrals. */
  replaceCut({ cut, glue }: GluedCut): boolean {
    if (!this.countReferral()) return false;
    this.settled.add(cut.zone);
    this.cuts.set(cut.zone, cut);
    this.orders.delete(cut.zone);
    for (const host of cut.nameservers) {
      if (this.trusted.has(host)) continue;
      this.glue.delete(host);
      const addresses = glue.get(host);
      if (addresses) this.trust(host, addresses);
    }
    return true;
  }

  private trust(host: string, addresses: string[]): void {
    this.glue.set(host, addresses);
    this.trusted.add(host);
  }

  private countReferral(): boolean {
    if (this.referrals >= MAX_REFERRALS) {
      this.limit ??= "referrals";
      return false;
    }
    this.referrals += 1;
    return true;
  }

  private addCut(cut: Cut, glue: ReadonlyMap<string, string[]>): void {
    this.cuts.set(cut.zone, cut);
    for (const [host, addresses] of glue) {
      if (isRegistry(cut.parent, host) && !this.trusted.has(host)) this.trust(host, addresses);
      else if (!this.glue.has(host)) this.glue.set(host, addresses);
    }
  }

  askOnce(question: string, ask: () => Promise<Reply>): Promise<Reply> {
    const reply = this.replies.get(question) ?? ask();
    this.replies.set(question, reply);
    return reply;
  }

  orderOf(cut: Cut): string[] {
    const existing = this.orders.get(cut.zone);
    if (existing) return existing;
    const rank = (host: string) => {
      const addresses = this.glue.get(host);
      return addresses === undefined ? 2 : addresses.some(isIPv4) ? 0 : 1;
    };
    const sorted = shuffled(cut.nameservers).sort((a, b) => rank(a) - rank(b));
    const order = sorted.slice(0, MAX_NAMESERVERS);
    this.orders.set(cut.zone, order);
    return order;
  }

  finish(): void {
    clearTimeout(this.timer);
    this.caller.removeEventListener("abort", this.abort);
    this.abort();
    this.udp.close();
  }
}
