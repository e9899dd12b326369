import { createReader } from "@deed/dns/resolve/create-reader.ts";
import type { Reader } from "@deed/dns/resolve/reader.ts";
import { encodeAnswer, type LabQuery, readQuery } from "@deed/dns/testing/lab-server.ts";
import { answerFrom, empty, type LabAnswer } from "@deed/dns/testing/lab-zone.ts";
import { describeDecision, netOf } from "@deed/dns/testing/world.ts";
import { Chance, hashOf } from "./chance.ts";
import { type ClaimRead, readClaim } from "./claim-reads.ts";
import { forge } from "./forger.ts";
import { answering } from "./manners.ts";
import { mayProve } from "./objections.ts";
import { FIRST_RESOLVER, resolved } from "./resolvers.ts";
import { SimulatedTime } from "./simulated-time.ts";
import { install, type Sent, uninstall } from "./simulated-wire.ts";
import { growTree, ROOT_HOST, SIX, type ZoneTree, zonesOf } from "./zone-tree.ts";

const START = Date.UTC(2026, 2, 12, 14);
const NET = netOf(600);
const PORT = 53;
const TRUNCATED = 0x200;

/** The number of the resolver at an address, from 0; -1 if there is none. */
const resolverAt = (address: string): number =>
  [0, 1, 2].findIndex((one) => NET.at(FIRST_RESOLVER + one) === address);

/** A server's reply; null if nothing listens. */
type Reply = (address: string, query: LabQuery, time: number) => Sent[] | null;

const sent = (query: LabQuery, answer: LabAnswer, afterMs: number, flags = 0): Sent[] => [
  { bytes: encodeAnswer(query, answer, flags), afterMs },
];

export type ForgeryReport = {
  claims: number;
  reads: number;
  /** Claims where an honest server lacks the token and the attacker alone controls no zone on the way. */
  mustNotProve: number;
  found: number;
  outcomes: Map<string, number>;
  /** Seeds of claims proved wrongly. */
  wrong: number[];
  /** Claims proved by one address of a delegated nameserver although another address denies: the rule counts one server. */
  byOneAddress: number;
};

/** The reads of a claim; `isOwn`: in which reads most resolvers knew the last zone by its own list of nameservers. */
type Outcome = { tree: ZoneTree; reads: ClaimRead[]; isOwn: boolean[] };

const isOwnList = ({ levels }: ZoneTree, { answers }: LabAnswer): boolean => {
  const { zone, own } = levels.at(-1) ?? { zone: "", own: [] };
  const given = answers.flatMap((one) =>
    one.type === "NS" && one.name === zone ? [one.data] : [],
  );
  return own.length === given.length && own.every(({ host }) => given.includes(host));
};

/** Zones that an attacker partly controls, which the reader reads over simulated sockets and time, one claim after another. */
class World {
  private readonly time = new SimulatedTime(new Chance(0));
  private readonly now = () => START + Math.floor(this.time.now);
  private readonly readers = new Map<number, Reader>();
  private reply: Reply = () => [];
  private hasIpv6 = false;
  private round = 0;
  private first = 0;

  constructor() {
    install(this.time, {
      ask: (address, transport, bytes) => {
        const query = readQuery(bytes, transport);
        return query ? this.reply(address, query, this.now() - this.first) : [];
      },
      hasRoute: (address) => !address.includes(":") || this.hasIpv6,
    });
    this.time.install();
  }

  /** The reads of a claim. The same seed gives the same zones, attack, letters, ports and moments. */
  async read(seed: number): Promise<Outcome> {
    const chance = new Chance(seed);
    const tree = growTree(chance, NET.at);
    const asked = new Map<string, number>();
    /** For each read, how many resolvers named the last zone's own nameservers. */
    const listed: number[] = [];
    const reply: Reply = (address, query, time) => {
      const { round } = this;
      const machine = tree.servers.get(address);
      const { name, type, transport } = query;
      const index = resolverAt(address);
      if (index >= 0) {
        const answer = resolved({ tree, seed, index, round, name, type, time });
        if (type === "NS" && isOwnList(tree, answer)) listed[round] = (listed[round] ?? 0) + 1;
        return sent(query, answer, 50);
      }
      if (!machine) return [];
      if (machine.hold === "dead")
        return hashOf(address) % 2 ? [] : sent(query, empty(5, false), 20);
      const key = `${address} ${name} ${type} ${transport} ${round}`;
      const times = asked.get(key) ?? 0;
      asked.set(key, times + 1);
      const how = answering(machine.manner, query, time, times);
      const { delayMs } = machine.manner;
      if (how === "closed") return null;
      if (how === "silent") return [];
      if (how === "refuses") return sent(query, empty(5, false), delayMs);
      if (how === "lowers") query.rawName = name;
      if (machine.hold === "honest") {
        const answer = answerFrom(zonesOf(machine, transport, time), name, type);
        return sent(query, answer ?? empty(5, false), delayMs);
      }
      const { answer, truncated } = forge({ tree, seed, address, query, time, at: NET.at });
      return sent(query, answer, delayMs, truncated ? TRUNCATED : 0);
    };
    const { hasIpv6, resolvers, domain } = tree;
    this.time.chance = new Chance(seed);
    Object.assign(this, { reply, hasIpv6, first: this.now() });
    const place = {
      reader: this.readerWith(resolvers),
      now: this.now,
      skip: (ms: number) => this.time.skip(ms),
      begin: (round: number) => {
        this.round = round;
      },
    };
    const reads = await this.time.until(readClaim(place, domain, chance));
    const isOwn = reads.map((_, round) => (listed[round] ?? 0) * 2 > resolvers);
    return { tree, reads, isOwn };
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

function count(report: ForgeryReport, seed: number, { tree, reads, isOwn }: Outcome): void {
  report.reads += reads.length;
  for (const { decision } of reads) {
    const came = describeDecision(decision);
    report.outcomes.set(came, (report.outcomes.get(came) ?? 0) + 1);
  }
  const isAllowed = reads.map(({ at }, round) => mayProve(tree, at, isOwn[round] ?? false));
  if (!isAllowed.includes(true)) report.mustNotProve += 1;
  const last = reads.at(-1);
  if (last?.decision.outcome !== "found") return;
  if (isAllowed.at(-1)) report.found += 1;
  else if (mayProve(tree, last.at, isOwn.at(-1) ?? false, ({ isOneOfTwo }) => !isOneOfTwo))
    report.byOneAddress += 1;
  else report.wrong.push(seed);
}

type Options = { claims: number; seed: number; progress?: (done: number) => void };

/** Reads claims whose zones an attacker partly controls: each has different zones and a different attack. */
export async function forgeries({ claims, seed, progress }: Options): Promise<ForgeryReport> {
  const none = { reads: 0, mustNotProve: 0, found: 0, byOneAddress: 0 };
  const report: ForgeryReport = { claims, ...none, outcomes: new Map(), wrong: [] };
  const world = new World();
  try {
    for (let index = 0; index < claims; index += 1) {
      const one = (seed + Math.imul(index, 0x9e3779b1)) | 0;
      count(report, one, await world.read(one));
      progress?.(index + 1);
    }
  } finally {
    world.close();
  }
  return report;
}

export function toldOf(report: ForgeryReport): string {
  const { claims, reads, mustNotProve, found, wrong, byOneAddress } = report;
  const outcomes = [...report.outcomes].sort(([, one], [, other]) => other - one);
  return [
    `${claims} claims in ${reads} reads of zones with an attacker: ${mustNotProve} must not be proved, ${found} proved rightly, ${wrong.length} wrongly; ${byOneAddress} by one address of a nameserver, whose other one denies`,
    outcomes.map(([came, times]) => `${came}: ${times}`).join(", "),
    ...wrong.map((seed) => `proved wrongly: seed ${seed}`),
  ].join("\n");
}

export function lookInto(seed: number): Promise<Outcome> {
  const world = new World();
  return world.read(seed).finally(() => world.close());
}
