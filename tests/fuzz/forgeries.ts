import { createReader } from "#app/dns/resolve/create-reader.ts";
import { encodeAnswer, LabServer } from "#app/dns/testing/lab-server.ts";
import { answerFrom, empty } from "#app/dns/testing/lab-zone.ts";
import { describeDecision, LABEL, type Net, netOf, TOKEN } from "#app/dns/testing/world.ts";
import { decide } from "#app/dns/verdict/decide.ts";
import { UNREAD } from "#app/dns/verdict/diagnosis.ts";
import { Chance } from "./chance.ts";
import { forge } from "./forger.ts";
import { growTree, ROOT_HOST, type ZoneTree } from "./zone-tree.ts";

export type ForgeryReport = {
  reads: number;
  /** Reads in which an honest server lacks the token and no zone on the way is controlled by the attacker alone. */
  mustNotProve: number;
  /** Reads that found the token where that is allowed. */
  found: number;
  outcomes: Map<string, number>;
  packets: number;
  /** Seeds of reads that found the token where they must not. */
  wrong: number[];
};

const TRUNCATED = 0x200;
const LANES = 8;
const HOSTS = [1, 2, 11, 12, 13, 20, 21, ...Array.from({ length: 16 }, (_, index) => 30 + index)];
const HISTORY = {
  ...UNREAD,
  domainOf: () => null,
  endedTokens: [],
  tokenPrefix: "service_v1_",
};

/** Servers on a separate loopback network; their zones change with every read. */
class Lane {
  private tree: ZoneTree | null = null;
  private seed = 0;
  private readonly servers: LabServer[];
  private readonly reader;

  constructor(
    private readonly net: Net,
    private readonly port: number,
  ) {
    this.servers = HOSTS.map((host) => {
      const address = net.at(host);
      return new LabServer(address, [], { behaviour: (query) => this.reply(address, query) });
    });
    this.reader = createReader({
      rootHints: [{ host: "a.root", addresses: [net.at(ROOT_HOST)] }],
      trustAnchors: [],
      witnesses: [],
      allowAddresses: [`${net.prefix}.0/24`],
      packetsPerAddress: [{ count: 1e9, seconds: 1 }],
      port,
    });
  }

  async open(): Promise<void> {
    await Promise.all(this.servers.map((server) => server.listen(this.port)));
  }

  private reply(address: string, query: Parameters<typeof forge>[3]): Buffer[] {
    const { tree } = this;
    const held = tree?.servers.get(address);
    if (!tree || !held || held.hold === "dead") return [encodeAnswer(query, empty(5, false))];
    if (held.hold === "honest")
      return [
        encodeAnswer(query, answerFrom(held.zones, query.name, query.type) ?? empty(5, false)),
      ];
    const { answer, truncated } = forge(tree, this.seed, address, query, this.net.at);
    return [encodeAnswer(query, answer, truncated ? TRUNCATED : 0)];
  }

  /** Reads the zones generated from this seed. */
  async read(seed: number) {
    this.seed = seed;
    this.tree = growTree(new Chance(seed), this.net.at);
    const { domain, mayBeFound } = this.tree;
    const question = { domain, label: LABEL, token: TOKEN };
    const seen = await this.reader.readChallenge(question, new AbortController().signal);
    return { tree: this.tree, seen, decision: decide(seen, HISTORY), mayBeFound };
  }

  close(): void {
    this.reader.close();
    for (const server of this.servers) server.close();
  }
}

type Options = { reads: number; seed: number; port: number; progress?: (done: number) => void };

/** Reads zones in which an attacker controls some servers. Each read has different zones and a different attack. */
export async function forgeries({ reads, seed, port, progress }: Options): Promise<ForgeryReport> {
  const report: ForgeryReport = {
    reads,
    mustNotProve: 0,
    found: 0,
    outcomes: new Map(),
    packets: 0,
    wrong: [],
  };
  let next = 0;
  const work = async (lane: Lane) => {
    await lane.open();
    while (next < reads) {
      const one = (seed + Math.imul(next, 0x9e3779b1)) | 0;
      next += 1;
      const { seen, decision, mayBeFound } = await lane.read(one);
      const came = describeDecision(decision);
      report.outcomes.set(came, (report.outcomes.get(came) ?? 0) + 1);
      report.packets = Math.max(report.packets, seen.packets);
      if (!mayBeFound) report.mustNotProve += 1;
      if (came === "found" && mayBeFound) report.found += 1;
      // On a busy machine an honest server may answer too late, which counts as no answer.
      const isLate = seen.exchanges.some(({ result }) => result === "timeout");
      if (came === "found" && !mayBeFound && !isLate) report.wrong.push(one);
      progress?.(next);
    }
  };
  const lanes = Array.from({ length: LANES }, (_, index) => new Lane(netOf(512 + index), port));
  try {
    await Promise.all(lanes.map(work));
  } finally {
    for (const lane of lanes) lane.close();
  }
  return report;
}

/** The report in two lines, and the seeds to investigate. */
export function toldOf(report: ForgeryReport): string {
  const { reads, mustNotProve, found, wrong, outcomes } = report;
  const sorted = [...outcomes].sort(([, one], [, other]) => other - one);
  return [
    `${reads} reads of zones with an attacker: ${mustNotProve} must not prove, ${found} found rightly, ${wrong.length} wrongly`,
    sorted.map(([came, count]) => `${came}: ${count}`).join(", "),
    ...wrong.map((seed) => `found wrongly: ${seed}`),
  ].join("\n");
}

/** Details of the read for one seed, for debugging. */
export async function lookInto(seed: number, port: number) {
  const lane = new Lane(netOf(600), port);
  await lane.open();
  try {
    return await lane.read(seed);
  } finally {
    lane.close();
  }
}
