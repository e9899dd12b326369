import type { Observation } from "@deed/dns/verdict/observation.ts";
import { Client } from "../support/deed.ts";
import { columnIn } from "../support/facts.ts";
import { startService } from "../support/service.ts";
import type { Benchmark } from "./benchmark.ts";
import { Rejected } from "./rounds.ts";
import { seededFolder, startDns, startLookups, WITNESSES } from "./world.ts";

const ANSWER_MS = 50;
const TOOK = "from served to proved, one forced run";
const PACKETS = "packets of that read";
/** One per round, including warm-ups and rejected rounds; each belongs to a different account. */
const CLAIMS = 60;

/** Root, registry, nameserver and its confirmation, and each resolver, asked during that confirmation over TCP. */
const FLOOR_PACKETS = 4 + WITNESSES.length;

async function prove(origin: string, verificationId: string, cookie: string): Promise<void> {
  const client = new Client(origin);
  client.cookie = cookie;
  const { status, text } = await client.post(`/api/verifications/${verificationId}/runs`);
  if (status !== 200 || !text.includes('"status":"proved"'))
    throw new Rejected(`the run answered ${status} ${text.slice(0, 200)}`);
}

/** The evidence of the only read that found the record. */
function readOf(path: string, verificationId: string): Observation {
  const query = `select e.evidence from attempts a join attempt_evidence e on e.attempt_id = a.id
    where a.verification_id = ? and a.outcome = 'found'`;
  const rows = columnIn(path, query, verificationId);
  if (rows.length !== 1) throw new Rejected(`${rows.length} reads found the record`);
  return JSON.parse(rows[0] ?? "");
}

/** The floor is only the read's dependent round trips: root, registry, nameserver, then three resolvers in turn. */
export const timeToProved: Benchmark = {
  name: "time-to-proved",
  figures: {
    [TOOK]: { unit: "ms", goal: { most: 1.3 } },
    [PACKETS]: { unit: "", goal: { most: 14 / FLOOR_PACKETS } },
  },
  async startProduct(command, stops) {
    const rows = { accounts: CLAIMS, claims: CLAIMS, due: false };
    const { dataDir, path, claims, cookies } = await seededFolder(command, rows);
    const names = claims.map(({ domain }) => domain);
    const dns = await startDns(names, ANSWER_MS, stops);
    const service = await startService({ command, dataDir, env: dns.env });
    stops.add(() => service.stop());
    let next = 0;
    return async () => {
      const [claim, cookie] = [claims[next], cookies[next]];
      next += 1;
      if (!claim || cookie === undefined) throw new Error("more rounds than claims");
      const from = performance.now();
      dns.publish(claim.domain, claim.token);
      await prove(service.url, claim.verificationId, cookie);
      const took = performance.now() - from;
      const { exchanges, witnesses } = readOf(path, claim.verificationId);
      if (witnesses?.length !== WITNESSES.length)
        throw new Rejected(`the read asked ${witnesses?.length} resolvers`);
      // Zones' keys are asked for in parallel.
      const chain = exchanges.filter(({ question }) => question.type !== "DNSKEY");
      return { [TOOK]: took, [PACKETS]: chain.length };
    };
  },
  async startFloor(stops) {
    const dns = await startDns(["n0.com"], ANSWER_MS, stops);
    dns.publish("n0.com", "token");
    const { lookUp } = await startLookups(dns, stops, WITNESSES.join());
    return async () => ({ [TOOK]: await lookUp(), [PACKETS]: FLOOR_PACKETS });
  },
};
