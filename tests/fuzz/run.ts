import { startProvider } from "#app/features/sign-in/testing.oidc.ts";
import { roomy, startDeed } from "../support/deed.ts";
import { Ledger } from "../support/ledger.ts";
import { faultsOf, operationOf } from "./answers.ts";
import { callsOf } from "./calls.ts";
import { Description } from "./description.ts";
import { populate } from "./population.ts";
import { type Received, type Sent, send } from "./wire.ts";

export type Finding = { fault: string; sent: Sent; received: Received | null };
export type Report = {
  seed: number;
  requests: number;
  statuses: Map<number, number>;
  /** 5xx other than the contract's 502 and 503. */
  failures: number;
  findings: Finding[];
  answered: Map<string, Set<number>>;
  seconds: number;
};

/** Requests per population, whose claims and domains are canceled and deleted over time. */
const ROUND = 500;

type Options = { requests: number; seed: number; progress?: (sent: number) => void };

/** Checks each answer of a new service against its description. After a refusal the database must be unchanged. */
export async function fuzz({ requests, seed, progress = () => {} }: Options): Promise<Report> {
  // Only discovery is needed: a sign-in asks the provider for nothing else until a person acts.
  const provider = await startProvider("http://localhost/api/auth/oidc/callback");
  const deed = await startDeed({ ...roomy(), ...provider.env });
  const ledger = new Ledger(deed.service);
  const started = performance.now();
  const report: Report = {
    seed,
    requests,
    statuses: new Map(),
    failures: 0,
    findings: [],
    answered: new Map(),
    seconds: 0,
  };
  try {
    const description = await Description.of(deed.service.url);
    for (const { name } of description.operations) report.answered.set(name, new Set());
    for (let sent = 0, round = 0; sent < requests; sent += ROUND, round++) {
      const population = await populate(deed, round);
      const count = Math.min(ROUND, requests - sent);
      for (const call of callsOf(description, population, count, seed + round))
        await tryCall(deed.service.url, description, ledger, call, report);
      progress(sent + count);
    }
  } finally {
    ledger.close();
    await deed.stop();
    await provider.stop();
  }
  report.seconds = (performance.now() - started) / 1000;
  return report;
}

async function tryCall(
  url: string,
  description: Description,
  ledger: Ledger,
  sent: Sent,
  report: Report,
): Promise<void> {
  const before = ledger.read();
  let received: Received | null = null;
  const faults: string[] = [];
  try {
    received = await send(url, sent);
    faults.push(...faultsOf(description, sent, received));
    const { status } = received;
    report.statuses.set(status, (report.statuses.get(status) ?? 0) + 1);
    if (status >= 500 && status !== 502 && status !== 503) report.failures += 1;
    const operation = operationOf(description, sent);
    if (operation) report.answered.get(operation.name)?.add(status);
    if (status >= 400 && ledger.read() !== before) faults.push("something was written");
  } catch (error) {
    faults.push(`no answer: ${error instanceof Error ? error.message : error}`);
  }
  for (const fault of faults) report.findings.push({ fault, sent, received });
}

const shortened = (text: string) => (text.length > 300 ? `${text.slice(0, 300)}…` : text);

/** The report as text: figures, then the smallest example of each kind of finding. */
export function told(report: Report): string {
  const { seed, requests, seconds, statuses, failures, findings } = report;
  const sorted = [...statuses].sort(([a], [b]) => a - b);
  const documented = (statuses.get(502) ?? 0) + (statuses.get(503) ?? 0);
  const lines = [
    `seed ${seed}: ${requests} requests in ${seconds.toFixed(1)} s`,
    `by status: ${sorted.map(([status, count]) => `${status}: ${count}`).join(", ")}`,
    `5xx ${failures} (502 and 503 as documented: ${documented}), findings ${findings.length}`,
  ];
  const kinds = new Map<string, Finding[]>();
  for (const finding of findings) {
    const kind = `${finding.sent.method} ${finding.fault}`;
    kinds.set(kind, [...(kinds.get(kind) ?? []), finding]);
  }
  for (const [kind, all] of kinds) {
    const size = ({ sent }: Finding) => JSON.stringify(sent).length;
    const [smallest] = all.sort((a, b) => size(a) - size(b));
    if (!smallest) continue;
    const { sent, received } = smallest;
    lines.push(
      `\n${kind} (${all.length})`,
      shortened(`  ${sent.method} ${sent.target}`),
      shortened(`  ${JSON.stringify(sent.headers)} ${sent.body?.toString("latin1") ?? ""}`),
      shortened(`  -> ${received?.status} ${JSON.stringify(received?.headers)}`),
      shortened(`  ${received?.body ?? ""}`),
    );
  }
  return lines.join("\n");
}
