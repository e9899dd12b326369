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

export type ForgeryReport = {
  claims: number;
  reads: number;
  /** Claims in which an honest server lacks the token and no zone on the way is controlled by the attacker alone. */
  mustNotProve: number;
  found: number;
  outcomes: Map<string, number>;
  wrong: { seed: number; machines: number }[];
  /** Claims proved by one address of a delegated nameserver against another of the same: one server, as the rule counts. */
  byOneAddress: number;
};

/** The reads of a claim; `isOwn`: in which of them most resolvers knew the last zone by its own list of nameservers. */
type Outcome = { tree: ZoneTree; reads: ClaimRead[]; isOwn: boolean[] };

const isOwnList = ({ levels }: ZoneTree, { answers }: LabAnswer): boolean => {
  const { zone, own } = levels.at(-1) ?? { zone: "", own: [] };
  const given = answers.flatMap((one) =>
    one.type === "NS" && one.name === zone ? [one.data] : [],
  );
  return own.length === given.length && own.every(({ host }) => given.includes(host));
};

/** Zones that an attacker controls in part, one claim at a time, on simulated sockets and time. */
class World {
  private readonly time = new SimulatedTime(new Chance(0));
  private readonly now = () => START + Math.floor(this.time.now);
  private readonly readers = new Map<number, Reader>();
  private readonly asked = new Map<string, number>();
  private tree: ZoneTree | null = null;
  private seed = 0;
  private round = 0;
  private first = 0;
  /** How many resolvers named the last zone's own nameservers, by read. */
  private listed: number[] = [];

  constructor() {
    install(this.time, {
      ask: (address, transport, bytes) => {
        const query = readQuery(bytes, transport);
        return query && this.reply(address, query);
      },
      hasRoute: (address) => !address.includes(":") || this.tree?.hasIpv6 === true,
    });
    this.time.install();
  }

  /** What a server sends back; null if nothing listens. */
  private reply(address: string, query: LabQuery): Sent[] | null {
    const { tree, seed, round } = this;
    const machine = tree?.servers.get(address);
    const { name, type, transport } = query;
    const time = this.now() - this.first;
    const sent = (answer: LabAnswer, afterMs: number, flags = 0) => [
      { bytes: encodeAnswer(query, answer, flags), afterMs },
    ];
    const index = [0, 1, 2].findIndex((one) => NET.at(FIRST_RESOLVER + one) === address);
    if (tree && index >= 0) {
      const answer = resolved({ tree, seed, index, round, name, type, time });
      if (type === "NS" && isOwnList(tree, answer))
        this.listed[round] = (this.listed[round] ?? 0) + 1;
      return sent(answer, 50);
    }
    if (!tree || !machine) return [];
    if (machine.hold === "dead") return hashOf(address) % 2 ? [] : sent(empty(5, false), 20);
    const key = `${address} ${name} ${type} ${transport} ${round}`;
    const times = this.asked.get(key) ?? 0;
    this.asked.set(key, times + 1);
    const how = answering(machine.manner, query, time, times);
    const { delayMs } = machine.manner;
    if (how === "closed") return null;
    if (how === "silent") return [];
    if (how === "refuses") return sent(empty(5, false), delayMs);
    if (how === "lowers") query.rawName = name;
    if (machine.hold === "honest") {
      const answer = answerFrom(zonesOf(machine, transport, time), name, type);
      return sent(answer ?? empty(5, false), delayMs);
    }
    const { answer, truncated } = forge({ tree, seed, address, query, time, at: NET.at });
    return sent(answer, delayMs, truncated ? TRUNCATED : 0);
  }

  read(seed: number): Promise<Outcome> {
    this.time.chance = new Chance(seed);
    return this.time.until(this.readZones(seed));
  }

  private async readZones(seed: number): Promise<Outcome> {
    const chance = new Chance(seed);
    const tree = growTree(chance, NET.at);
    Object.assign(this, { tree, seed, first: this.now(), listed: [] });
    this.asked.clear();
    const place = {
      reader: this.readerWith(tree.resolvers),
      now: this.now,
      skip: (ms: number) => this.time.skip(ms),
      begin: (round: number) => {
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
  report.claims += 1;
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
  else report.wrong.push({ seed, machines: tree.servers.size });
}

type Options = { claims: number; seed: number; progress?: (done: number) => void };

/** Reads claims whose zones an attacker controls in part: each has different zones and a different attack. */
export async function forgeries({ claims, seed, progress }: Options): Promise<ForgeryReport> {
  const report: ForgeryReport = {
    ...{ claims: 0, reads: 0, mustNotProve: 0, found: 0, byOneAddress: 0 },
    ...{ outcomes: new Map(), wrong: [] },
  };
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
  const smallest = [...wrong].sort((one, other) => one.machines - other.machines).slice(0, 5);
  return [
    `${claims} claims in ${reads} reads of zones with an attacker: ${mustNotProve} must not be proved, ${found} proved rightly, ${wrong.length} wrongly; ${byOneAddress} by one address of a nameserver, whose other one denies`,
    outcomes.map(([came, times]) => `${came}: ${times}`).join(", "),
    ...smallest.map((one) => `proved wrongly: seed ${one.seed}, ${one.machines} machines`),
  ].join("\n");
}

export function lookInto(seed: number): Promise<Outcome> {
  const world = new World();
  return world.read(seed).finally(() => world.close());
}
