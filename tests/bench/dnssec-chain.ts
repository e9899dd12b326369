import { parseAnchor } from "@deed/dns/dnssec/anchors.ts";
import { late, resolving } from "@deed/dns/testing/faults.ts";
import { type LabBehaviour, LabServer } from "@deed/dns/testing/lab-server.ts";
import { delegation, type LabRecord, labZone } from "@deed/dns/testing/lab-zone.ts";
import { ZoneSigner } from "@deed/dns/testing/zone-signer.ts";
import { freePort } from "../support/service.ts";
import type { Benchmark, Row } from "./benchmark.ts";
import { startBundled } from "./bundled.ts";
import type { ChainOrder, ChainReport } from "./chain-process.ts";
import { interleave, median, Rejected } from "./rounds.ts";

const ANSWER_MS = 50;
/** Reads of one round whose processor time is taken, from servers that answer at once. */
const READS = 20;
const TOKEN = `service_v1_${"0123456789".repeat(4)}`;
const SERVERS = { root: "127.6.0.1", registry: "127.6.0.2", zone: ["127.6.0.3", "127.6.0.4"] };
const WITNESSES = ["127.6.0.11", "127.6.0.12", "127.6.0.13"];
const ZONES = { signed: "signed.com", unsigned: "plain.com" } as const;
/** Verdicts with the root's anchor. */
const VERDICTS = { signed: "secure", unsigned: "insecure unsigned" } as const;

/** A signed root and registry, and a zone that is signed and one that is not, on servers that answer after `ms`. */
async function startDns(ms: number) {
  const port = await freePort();
  const signers = { root: new ZoneSigner("."), com: new ZoneSigner("com") };
  const signer = new ZoneSigner(ZONES.signed);
  const hosts = (zone: string) =>
    Object.fromEntries(SERVERS.zone.map((address, i) => [`ns${i + 1}.${zone}`, [address]]));
  const txt = (zone: string): LabRecord[] => [
    { name: `_service-challenge.${zone}`, type: "TXT", data: TOKEN },
  ];
  const ds = (name: string, { ds: data }: ZoneSigner): LabRecord => ({ name, type: "DS", data });
  const com = { "ns.registry.com": [SERVERS.registry] };
  const held = [
    { ...labZone(ZONES.signed, hosts(ZONES.signed), txt(ZONES.signed)), signer },
    labZone(ZONES.unsigned, hosts(ZONES.unsigned), txt(ZONES.unsigned)),
  ];
  const registry = labZone("com", com, [
    ...Object.values(ZONES).flatMap((zone) => delegation(zone, hosts(zone))),
    ds(ZONES.signed, signer),
  ]);
  const root = labZone(".", { "a.root": [SERVERS.root] }, [
    ...delegation("com", com),
    ds("com", signers.com),
  ]);
  const lateResolving: LabBehaviour = async (query, server) => {
    await new Promise((resolve) => setTimeout(resolve, ms));
    return resolving(query, server);
  };
  const honest = ms > 0 ? { behaviour: late(ms) } : {};
  const servers = [
    new LabServer(SERVERS.root, [{ ...root, signer: signers.root }], honest),
    new LabServer(SERVERS.registry, [{ ...registry, signer: signers.com }], honest),
    ...SERVERS.zone.map((address) => new LabServer(address, held, honest)),
    ...WITNESSES.map((address) => new LabServer(address, held, { behaviour: lateResolving })),
  ];
  await Promise.all(servers.map((server) => server.listen(port)));
  const reader = {
    rootHints: [{ host: "a.root", addresses: [SERVERS.root] }],
    witnesses: WITNESSES.map((address, i) => ({ name: `w${i}`, address, port })),
    allowAddresses: ["127.0.0.0/8"],
    port,
    packetsPerAddress: [{ count: 1e9, seconds: 1 }],
  };
  const trustAnchors = [parseAnchor(`. IN DS ${signers.root.ds}`)].flatMap((one) => one ?? []);
  return {
    /** Without anchors no chain is read. */
    reader: (hasChain: boolean) => ({ ...reader, trustAnchors: hasChain ? trustAnchors : [] }),
    stop: () => {
      for (const server of servers) server.close();
    },
  };
}

type Kind = keyof typeof ZONES;

export const dnssecChain: Benchmark = {
  name: "dnssec-chain",
  number: 14,
  work: "a read that proves a claim, with its DNSSEC chain; for the time, servers answer after 50 ms",
  floor: "the same read without the chain",
  needs: [],
  async run({ rounds }) {
    const [slow, fast] = [await startDns(ANSWER_MS), await startDns(0)];
    const product = await startBundled<ChainOrder, ChainReport>("chain-process.ts");
    try {
      const measure = async (dns: typeof slow, kind: Kind, hasChain: boolean, count: number) => {
        const order = { domain: ZONES[kind], token: TOKEN, count };
        const report = await product.ask({ ...order, reader: dns.reader(hasChain) });
        const expected = hasChain ? VERDICTS[kind] : "indeterminate no_anchor";
        if (report.verdicts.join() !== expected) throw new Rejected(report.verdicts.join());
        return report;
      };
      const rows: Row[] = [];
      let rejected = 0;
      for (const kind of ["unsigned", "signed"] as const) {
        const sides = (dns: typeof slow, count: number) => ({
          product: () => measure(dns, kind, true, count),
          floor: () => measure(dns, kind, false, count),
        });
        const time = await interleave(rounds, sides(slow, 1));
        const cpu = await interleave(rounds, sides(fast, READS));
        rejected += time.rejected + cpu.rejected;
        const row = (
          what: string,
          kept: { product: ChainReport[]; floor: ChainReport[] },
          figure: (report: ChainReport) => number,
          most: number,
        ): Row => {
          const [ours, bare] = [kept.product.map(figure), kept.floor.map(figure)];
          const goal = {
            what: `${what}, ${kind} zone`,
            at: "most",
            value: most,
            unit: "",
          } as const;
          return {
            goal,
            value: median(ours) / median(bare),
            product: ours,
            floor: bare,
            unit: "ms",
          };
        };
        const packets = median(time.product.map((one) => one.packets));
        const bare = median(time.floor.map((one) => one.packets));
        rows.push(
          // A signed zone's keys are asked once the DS records are there: one round trip of four more.
          row("time to proved", time, ({ ms }) => ms, kind === "signed" ? 1.35 : 1.1),
          row("processor time", cpu, ({ cpuMs }) => cpuMs, kind === "signed" ? 3 : 2.5),
          {
            goal: {
              what: `packets of the chain, ${kind} zone`,
              at: "most",
              value: kind === "signed" ? 3 : 2,
              unit: "packets",
            },
            value: packets - bare,
            note: `${bare} without it`,
          },
        );
      }
      return { rows, commands: ["npm run bench dnssec-chain"], rejected };
    } finally {
      await product.stop();
      slow.stop();
      fast.stop();
    }
  },
};
