/** The cost of a whole read to this process if every server sends as much work as it can. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createReader } from "@deed/dns/resolve/create-reader.ts";
import { decide, progressOf } from "@deed/dns/verdict/decide.ts";
import { evidenceOf } from "@deed/dns/verdict/evidence.ts";
import { UNREAD } from "@deed/dns/verdict/history.ts";
import { DEEP, DOMAIN, type Plan } from "./hostile-server.ts";

export const TOKEN = `service_v1_${"0123456789abcdef".repeat(3).slice(0, 40)}`;
const LABEL = "_service-challenge";

export type Cost = { cpuMs: number; packets: number; values: number; outcome: string };

const cpuMs = (since: NodeJS.CpuUsage) => {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1_000;
};

/** Reads `times` times: a zone, or a challenge with everything up to what is stored. The most expensive read counts. */
export async function worstRead(
  plan: Plan,
  what: "zone" | "challenge",
  times: number,
  port = 35_353,
): Promise<Cost> {
  const server = spawn(
    process.execPath,
    ["--import", "tsx", "tests/fuzz/hostile-server.ts", `${port}`, JSON.stringify(plan)],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  await once(server.stdout, "data");
  const reader = createReader({
    rootHints: Array.from({ length: 13 }, (_, at) => ({
      host: `r${at}.root`,
      addresses: [`127.0.0.${1 + at}`],
    })),
    trustAnchors: [],
    witnesses: [],
    allowAddresses: ["127.0.0.0/8"],
    packetsPerAddress: [{ count: 1_000_000, seconds: 1 }],
    port,
  });
  const history = {
    ...UNREAD,
    domainOf: () => null,
    endedTokens: Array.from({ length: 100 }, (_, at) => ({ token: `${TOKEN}${at}`, endedAt: at })),
    tokenPrefix: "service_v1_",
  };
  const costs: Cost[] = [];
  try {
    for (let count = 0; count < times; count += 1) {
      const before = process.cpuUsage();
      if (what === "zone") {
        const zone = await reader.readZone(DEEP, AbortSignal.timeout(12_000));
        costs.push({ cpuMs: cpuMs(before), packets: 0, values: 0, outcome: zone.type });
        continue;
      }
      const question = { domain: DOMAIN, label: LABEL, token: TOKEN };
      const seen = await reader.readChallenge(question, AbortSignal.timeout(12_000));
      const decision = decide(seen, history);
      JSON.stringify(evidenceOf(seen));
      progressOf(seen, history);
      costs.push({
        cpuMs: cpuMs(before),
        packets: seen.packets,
        values: seen.servers.reduce((sum, { answer }) => sum + (answer?.values.length ?? 0), 0),
        outcome: `${decision.outcome}${"diagnosis" in decision ? ` ${decision.diagnosis?.code}` : ""}`,
      });
    }
  } finally {
    reader.close();
    server.kill();
  }
  // The first reads are slower, because they compile the code.
  const warm = costs.slice(Math.min(3, costs.length - 1)).sort((a, b) => b.cpuMs - a.cpuMs);
  if (!warm[0]) throw new Error("nothing was read");
  return warm[0];
}
