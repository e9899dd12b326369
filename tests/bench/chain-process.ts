// The product's side of the benchmark of DNSSEC chains: a child process that reads challenges over IPC.
import { createReader } from "@deed/dns/resolve/create-reader.ts";
import type { ReaderSettings } from "@deed/dns/resolve/reader.ts";

export type ChainOrder = {
  reader: ReaderSettings;
  domain: string;
  token: string;
  /** Reads one after the other. */
  count: number;
};
/** Per read; `verdicts` are our own validation's. */
export type ChainReport = { ms: number; cpuMs: number; packets: number; verdicts: string[] };

process.on("message", async ({ reader: settings, domain, token, count }: ChainOrder) => {
  const reader = createReader(settings);
  const question = { domain, label: "_service-challenge", token };
  const [started, cpu] = [performance.now(), process.cpuUsage()];
  let packets = 0;
  const verdicts = new Set<string>();
  for (let read = 0; read < count; read += 1) {
    const seen = await reader.readChallenge(question, new AbortController().signal);
    packets += seen.packets;
    const reason =
      seen.validation && "reason" in seen.validation ? seen.validation.reason.type : "";
    verdicts.add(`${seen.validation?.verdict} ${reason}`.trim());
  }
  const { user, system } = process.cpuUsage(cpu);
  reader.close();
  process.send?.({
    ms: (performance.now() - started) / count,
    cpuMs: (user + system) / 1_000 / count,
    packets: packets / count,
    verdicts: [...verdicts],
  } satisfies ChainReport);
});
