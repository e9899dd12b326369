import { type LabQuery, LabServer, readQuery } from "@deed/dns/testing/lab-server.ts";
import { describeDecision, netOf } from "@deed/dns/testing/world.ts";
import { Chance } from "./chance.ts";
import { Lane, type Outcome } from "./lane.ts";
import { mayProve, type Objection, objection } from "./objections.ts";
import { SimulatedTime } from "./simulated-time.ts";
import { install, uninstall } from "./simulated-wire.ts";
import { FIRST_HOST, PER_ZONE, REGISTRY_HOST, ROOT_HOST, STRANGERS } from "./zone-tree.ts";

export type ForgeryReport = {
  claims: number;
  reads: number;
  /** Claims in which an honest server lacks the token and no zone on the way is controlled by the attacker alone. */
  mustNotProve: number;
  /** Claims proved where that is allowed. */
  found: number;
  /** Of all reads. */
  outcomes: Map<string, number>;
  /** Claims proved where they must not be: the seed, and what would have denied it. */
  wrong: { seed: number; denied: Objection; machines: number }[];
  /** Claims proved by one address of a delegated nameserver against another of the same: one server, as the rule counts. */
  byOneAddress: number;
};

const LANES = 8;
const START = Date.UTC(2026, 2, 12, 14);

type Options = { claims: number; seed: number; progress?: (done: number) => void };

const seedAt = (seed: number, index: number) => (seed + Math.imul(index, 0x9e3779b1)) | 0;

const blank = (): ForgeryReport => ({
  claims: 0,
  reads: 0,
  mustNotProve: 0,
  found: 0,
  outcomes: new Map(),
  wrong: [],
  byOneAddress: 0,
});

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
  const denied = objection(tree, last.at, isOwn.at(-1) ?? false);
  if (denied === null) report.found += 1;
  else if (denied === "one address of a nameserver") report.byOneAddress += 1;
  else report.wrong.push({ seed, denied, machines: tree.servers.size });
}

const PORT = 53;

/** Runs with the wire and the clock replaced by simulated ones. */
async function simulated<T>(work: (lane: Lane, time: SimulatedTime) => Promise<T>): Promise<T> {
  const time = new SimulatedTime(new Chance(0));
  const skip = (ms: number) => time.skip(ms);
  const lane = new Lane(netOf(600), PORT, () => START + Math.floor(time.now), skip, false);
  install(time, {
    ask: (address, transport, bytes) => {
      const query = readQuery(bytes, transport);
      return query && lane.reply(address, query);
    },
    hasRoute: (address) => !address.includes(":") || lane.tree?.hasIpv6 === true,
  });
  time.install();
  try {
    return await work(lane, time);
  } finally {
    time.uninstall();
    uninstall();
    lane.close();
  }
}

/**
 * Reads claims whose zones an attacker controls in part: each has different zones and a different attack. Sockets and
 * clock are simulated, because servers that are slow or silent would make a read take seconds.
 */
export const forgeries = ({ claims, seed, progress }: Options): Promise<ForgeryReport> =>
  simulated(async (lane, time) => {
    const report = blank();
    for (let index = 0; index < claims; index += 1) {
      const one = seedAt(seed, index);
      time.chance = new Chance(one);
      count(report, one, await time.until(lane.read(one)));
      progress?.(index + 1);
    }
    return report;
  });

const HOSTS = [
  ...[ROOT_HOST, REGISTRY_HOST, 11, 12, 13, ...STRANGERS],
  ...[0, 1, 2, 3].flatMap((depth) =>
    [0, 1, 2, 3].map((one) => FIRST_HOST + PER_ZONE * depth + one),
  ),
];

/** The same on real sockets of the loopback, with servers that answer at once. */
export async function forgeriesOnSockets({
  claims,
  seed,
  port,
}: Options & { port: number }): Promise<ForgeryReport> {
  const report = blank();
  let next = 0;
  const work = async (index: number) => {
    const net = netOf(512 + index);
    let skipped = 0;
    const skip = (ms: number) => {
      skipped += ms;
    };
    const lane = new Lane(net, port, () => Date.now() + skipped, skip, true);
    const servers = HOSTS.map((host) => {
      const address = net.at(host);
      const behaviour = (query: LabQuery) =>
        (lane.reply(address, query) ?? []).map(({ bytes }) => bytes);
      return new LabServer(address, [], { behaviour });
    });
    try {
      await Promise.all(servers.map((server) => server.listen(port)));
      while (next < claims) {
        const one = seedAt(seed, next);
        next += 1;
        const outcome = await lane.read(one);
        // On a busy machine an honest server may answer too late, which counts as no answer.
        const isLate = outcome.reads.some(({ seen }) =>
          seen.exchanges.some(({ result }) => result === "timeout"),
        );
        if (!isLate) count(report, one, outcome);
      }
    } finally {
      lane.close();
      for (const server of servers) server.close();
    }
  };
  await Promise.all(Array.from({ length: LANES }, (_, index) => work(index)));
  return report;
}

/** The report in a few lines, with the smallest example of each kind of wrong proof. */
export function toldOf({
  claims,
  reads,
  mustNotProve,
  found,
  wrong,
  byOneAddress,
  outcomes,
}: ForgeryReport): string {
  const sorted = [...outcomes].sort(([, one], [, other]) => other - one);
  const kinds = new Map<Objection, number[]>();
  for (const { denied, seed } of [...wrong].sort((one, other) => one.machines - other.machines))
    kinds.set(denied, [...(kinds.get(denied) ?? []), seed]);
  return [
    `${claims} claims in ${reads} reads of zones with an attacker: ${mustNotProve} must not be proved, ${found} proved rightly, ${wrong.length} wrongly; ${byOneAddress} by one address of a nameserver, whose other one denies`,
    sorted.map(([came, times]) => `${came}: ${times}`).join(", "),
    ...[...kinds].map(
      ([denied, seeds]) =>
        `proved although ${denied} would deny it: ${seeds.length}, seeds ${seeds.slice(0, 5).join(" ")}`,
    ),
  ].join("\n");
}

/** The machines and the reads of one claim, for debugging. */
export const lookInto = (seed: number) =>
  simulated(async (lane, time) => {
    time.chance = new Chance(seed);
    const { tree, reads, isOwn } = await time.until(lane.read(seed));
    const { servers, levels, name, hasIpv6, resolvers } = tree;
    const machineAt = (address: string) => {
      const machine = servers.get(address);
      const { hold, holding, manner } = machine ?? {};
      return { address, hold, holding, ...manner };
    };
    return {
      name,
      hasIpv6,
      resolvers,
      levels: levels.map(({ zone, servers: named }) => ({
        zone,
        machines: named.flatMap(({ host, addresses }) =>
          addresses.map((address) => ({ host, ...machineAt(address) })),
        ),
      })),
      far: tree.far.map(machineAt),
      reads: reads.map(({ at, seen, decision }) => ({
        at,
        decision,
        delegation: seen.delegation,
        servers: seen.servers.map(({ host, address, result, answer }) => [
          `${host} ${address} ${result}`,
          answer?.values,
        ]),
        witnesses: seen.witnesses?.map(({ answer, nameservers }) => [answer?.values, nameservers]),
        confirmation: seen.confirmation,
        limit: seen.limit,
        exchanges: seen.exchanges.map(
          ({ at: sent, address, transport, question, latencyMs, result }) =>
            `${sent - seen.at} ${address} ${transport} ${question.name} ${question.type} ${result} ${latencyMs}`,
        ),
      })),
      own: levels.at(-1)?.own,
      objection: objection(tree, reads.at(-1)?.at ?? 0, isOwn.at(-1) ?? false),
    };
  });
