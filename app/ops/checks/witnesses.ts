import { ROOT } from "@deed/dns/names.ts";
import type { ReaderSettings } from "@deed/dns/resolve/reader.ts";
import { askWitnesses } from "@deed/dns/resolve/witnesses.ts";
import type { WitnessFailure, WitnessReading } from "@deed/dns/verdict/observation.ts";
import { about } from "./finding.ts";
import { withRead } from "./root-servers.ts";

const FAILURES: Record<WitnessFailure, [text: string, advice: string]> = {
  timeout: [
    "does not answer",
    "Allow this machine to reach it, or name another resolver in DNS_RESOLVERS.",
  ],
  refused: [
    "refuses to answer this machine",
    "Name a resolver in DNS_RESOLVERS that serves this machine.",
  ],
  servfail: [
    "cannot resolve the root",
    "Have its operator repair it, or name another resolver in DNS_RESOLVERS.",
  ],
  malformed: [
    "answers with something that is not DNS",
    "Check its port and path in DNS_RESOLVERS.",
  ],
  untrusted: [
    "has no valid certificate for its name or address",
    "Check the name before the @ in DNS_RESOLVERS, this machine's clock and CA certificates, and whether something on the path breaks TLS.",
  ],
};

/** The root is signed, so a witness must say that it validated the answer. */
function finding(reading: WitnessReading, roots: ReadonlySet<string>, isNeeded: boolean) {
  const { name, address, result, ad, latencyMs } = reading;
  const { ok, warning, broken } = about("Witness");
  const witness = `${name} (${address})`;
  const report = isNeeded ? broken : warning;
  if (result !== "answered") {
    const [text, advice] = FAILURES[result === "unasked" ? "timeout" : result];
    return report(`${witness} ${text}`, advice);
  }
  if (!isUsable(reading, roots))
    return report(
      `${witness} uses a different DNS root than this machine, so it cannot confirm any claim`,
      "Set DNS_ROOT_HINTS and DNS_RESOLVERS to the same DNS.",
    );
  if (!ad)
    return warning(
      `${witness} answers in ${latencyMs} ms, but does not say that it validated the root`,
      "Name a resolver that validates DNSSEC: without that, a resolver cannot detect a forged answer.",
    );
  return ok(`${witness} answers in ${latencyMs} ms and validates`);
}

const isUsable = (reading: WitnessReading, roots: ReadonlySet<string>) =>
  reading.result === "answered" &&
  (reading.nameservers === null || reading.nameservers.some((host) => roots.has(host)));

/** Checks the witnesses; a bad one counts as broken only if no majority of them can be used. */
export async function examineWitnesses(settings: ReaderSettings, signal: AbortSignal) {
  // The configuration's check warns if there are no witnesses.
  if (settings.witnesses.length === 0) return [];
  const readings = await withRead(settings, signal, (read) =>
    askWitnesses(read, { challengeName: ROOT, token: "" }, ROOT),
  );
  const roots = new Set(settings.rootHints.map(({ host }) => host.toLowerCase()));
  const usableCount = readings.filter((reading) => isUsable(reading, roots)).length;
  const isNeeded = usableCount * 2 <= readings.length;
  return readings.flatMap((reading) => finding(reading, roots, isNeeded));
}
