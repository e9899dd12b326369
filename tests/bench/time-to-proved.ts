import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { late, resolving } from "@deed/dns/testing/faults.ts";
import { type LabBehaviour, LabServer } from "@deed/dns/testing/lab-server.ts";
import { delegation, type LabZone, labZone } from "@deed/dns/testing/lab-zone.ts";
import type { Exchange, Observation } from "@deed/dns/verdict/observation.ts";
import Database from "better-sqlite3";
import { type Seeded, seed, seededToken } from "../reliability/seed.ts";
import { freePort, startService } from "../support/service.ts";
import type { Benchmark } from "./benchmark.ts";
import { startFloor } from "./floors/server.ts";
import { interleave, median, Rejected } from "./rounds.ts";

const ANSWER_MS = 50;
/** One per round, including warm-ups and rejected rounds; each belongs to a different account. */
const CLAIMS = 60;
const FLOOR = "tests/bench/floors/lookup-chain.mjs";
const MOST_PACKETS = 14;

const ROOT = "127.5.0.1";
const REGISTRY = "127.5.0.2";
const NAMESERVERS = ["127.5.0.3", "127.5.0.4"];
const WITNESSES = ["127.5.0.11", "127.5.0.12", "127.5.0.13"];

/** The dependent round trips of a read: each needs the result of the one before. */
const CHAIN = ["root", "registry", "nameserver", "confirmation"] as const;

function linkOf({ address, transport }: Exchange): (typeof CHAIN)[number] {
  if (address === ROOT) return "root";
  if (address === REGISTRY) return "registry";
  // TCP confirms the token, and witnesses are asked, only once every nameserver has it.
  return NAMESERVERS.includes(address) && transport === "udp" ? "nameserver" : "confirmation";
}

const ownServers = (zone: string) =>
  Object.fromEntries(NAMESERVERS.map((address, i) => [`ns${i + 1}.${zone}`, [address]]));

/** Starts a root, a registry, two nameservers and three witnesses that answer after 50 ms. */
async function startDns(names: readonly string[]) {
  const port = await freePort();
  const zones = new Map(names.map((name) => [name, labZone(name, ownServers(name))]));
  const com = { "ns.registry.com": [REGISTRY] };
  const root = labZone(".", { "a.root": [ROOT] }, delegation("com", com));
  const registry = labZone(
    "com",
    com,
    names.flatMap((name) => delegation(name, ownServers(name))),
  );
  const held: LabZone[] = [...zones.values()];
  const lateResolving: LabBehaviour = async (query, server) => {
    await new Promise((resolve) => setTimeout(resolve, ANSWER_MS));
    return resolving(query, server);
  };
  const honest = { behaviour: late(ANSWER_MS) };
  const servers = [
    new LabServer(ROOT, [root], honest),
    new LabServer(REGISTRY, [registry], honest),
    ...NAMESERVERS.map((address) => new LabServer(address, held, honest)),
    ...WITNESSES.map((address) => new LabServer(address, held, { behaviour: lateResolving })),
  ];
  await Promise.all(servers.map((server) => server.listen(port)));
  return {
    port,
    /** Adds the record to every nameserver. */
    publish: (name: string) =>
      zones.get(name)?.records.push({
        name: `_service-challenge.${name}`,
        type: "TXT",
        data: seededToken(name),
      }),
    stop: () => {
      for (const server of servers) server.close();
    },
  };
}

/** Forces one run. Throws Rejected unless its answer is the proof. */
async function prove(origin: string, verificationId: string, cookie: string): Promise<void> {
  const response = await fetch(`${origin}/api/verifications/${verificationId}/runs`, {
    method: "POST",
    headers: { cookie },
  });
  const text = await response.text();
  if (response.status !== 200 || !text.includes('"status":"proved"'))
    throw new Rejected(`the run answered ${response.status} ${text.slice(0, 200)}`);
}

/** The evidence of the one read that found the record. */
function readOf(path: string, verificationId: string): Observation {
  const db = new Database(path, { readonly: true });
  const rows = db
    .prepare(
      `select e.evidence from attempts a join attempt_evidence e on e.attempt_id = a.id
       where a.verification_id = ? and a.outcome = 'found'`,
    )
    .pluck()
    .all(verificationId);
  db.close();
  if (rows.length !== 1) throw new Rejected(`${rows.length} reads found the record`);
  return JSON.parse(String(rows[0]));
}

type Round = { took: number; packets: number };

export const timeToProved: Benchmark = {
  name: "time-to-proved",
  number: 11,
  work: "from the record being served by both nameservers to proved, one forced run; servers answer after 50 ms",
  floor:
    "a bare chain of the read's dependent round trips: root, registry, nameserver, once more over TCP",
  needs: [],
  async run({ rounds }) {
    const dataDir = mkdtempSync(join(tmpdir(), "deed-time-to-proved-"));
    const stops: (() => unknown)[] = [() => rmSync(dataDir, { recursive: true, force: true })];
    try {
      const path = join(dataDir, "deed.db");
      const { claims, cookies } = seed(path, { accounts: CLAIMS, claims: CLAIMS, due: false });
      const dns = await startDns(claims.map(({ name }) => name));
      stops.unshift(dns.stop);
      const hints = join(dataDir, "named.root");
      writeFileSync(hints, `. 3600000 NS a.root.\na.root. 3600000 A ${ROOT}\n`);
      const env = {
        DNS_ROOT_HINTS: hints,
        DNS_PORT: String(dns.port),
        DNS_ALLOW_ADDRESSES: "127.0.0.0/8",
        DNS_RESOLVERS: WITNESSES.map((address, i) => `w${i}=${address}:${dns.port}`).join(","),
      };
      const service = await startService({ dataDir, env: { ...env, LOG_LEVEL: "error" } });
      stops.unshift(() => service.stop({ keep: true }));
      const floor = await startFloor([FLOOR], `/${claims[0]?.name}`, {
        ROOT,
        DNS_PORT: env.DNS_PORT,
      });
      stops.unshift(floor.stop);

      let next = 0;
      const proofOf = async (claim: Seeded["claims"][number], cookie: string): Promise<Round> => {
        const from = performance.now();
        dns.publish(claim.name);
        await prove(service.url, claim.verificationId, cookie);
        const took = performance.now() - from;
        const { exchanges, witnesses } = readOf(path, claim.verificationId);
        // Benchmark 14 counts those of the DNSSEC chain.
        const packets = exchanges.filter(({ question }) => question.type !== "DNSKEY").length;
        const links = new Set(exchanges.map(linkOf));
        if (CHAIN.some((link) => !links.has(link)) || witnesses?.length !== WITNESSES.length)
          throw new Rejected(`the read went by ${[...links].join(", ")} alone`);
        return { took, packets };
      };
      const kept = await interleave(rounds, {
        product: () => {
          const [claim, cookie] = [claims[next], cookies[next]];
          next += 1;
          if (!claim || cookie === undefined) throw new Error("more rounds than claims");
          return proofOf(claim, cookie);
        },
        floor: async () => {
          const response = await fetch(`${floor.url}/${claims[next - 1]?.name}`);
          const { took, records } = (await response.json()) as { took: number; records: number };
          if (records !== 1) throw new Rejected(`the chain ended at ${records} records`);
          return took;
        },
      });
      const product = kept.product.map(({ took }) => took);
      const packets = kept.product.map((round) => round.packets);
      return {
        rows: [
          {
            goal: {
              what: "time to proved less 20 ms, of the chain",
              at: "most",
              value: 1.2,
              unit: "",
            },
            value: (median(product) - 20) / median(kept.floor),
            product,
            floor: kept.floor,
            unit: "ms",
            note: `${CHAIN.length} dependent round trips: ${CHAIN.join(", ")}`,
          },
          {
            goal: {
              what: "a successful read, nothing cached",
              at: "most",
              value: MOST_PACKETS,
              unit: "packets",
            },
            value: Math.max(...packets),
            note: "two nameservers, three witnesses",
          },
        ],
        commands: [
          "DNS_ROOT_HINTS=<root> DNS_PORT=<port> DNS_RESOLVERS=<three> DNS_ALLOW_ADDRESSES=127.0.0.0/8 npm start",
          `ROOT=${ROOT} DNS_PORT=<port> PORT=<port> node ${FLOOR}`,
        ],
        rejected: kept.rejected,
      };
    } finally {
      for (const stop of stops) await stop();
    }
  },
};
