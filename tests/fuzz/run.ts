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
  statuses: Map<number, number>;
  /** A status of 5xx other than the contract's 502 and 503 is a finding too. */
  findings: Finding[];
  answered: Map<string, Set<number>>;
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
  const report: Report = { seed, statuses: new Map(), findings: [], answered: new Map() };
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
    const operation = operationOf(description, sent);
    if (operation) report.answered.get(operation.name)?.add(status);
    if (status >= 400 && ledger.read() !== before) faults.push("something was written");
  } catch (error) {
    faults.push(`no answer: ${error instanceof Error ? error.message : error}`);
  }
  for (const fault of faults) report.findings.push({ fault, sent, received });
}

/** The report as text: how many answers of each status, then the smallest example of each kind of finding. */
export function told({ seed, statuses, findings }: Report): string {
  const sorted = [...statuses].sort(([a], [b]) => a - b);
  const bySize = findings
    .map(({ fault, sent, received }) => ({
      kind: `${sent.method} ${fault}`,
      text: JSON.stringify({ fault, sent: { ...sent, body: `${sent.body ?? ""}` }, received }),
    }))
    .sort((one, other) => other.text.length - one.text.length);
  const smallest = new Map(bySize.map(({ kind, text }) => [kind, text.slice(0, 1_200)]));
  return [
    `seed ${seed}: ${sorted.map(([status, count]) => `${count} of ${status}`).join(", ")}`,
    `findings: ${findings.length}`,
    ...smallest.values(),
  ].join("\n");
}
