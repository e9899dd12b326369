import { providerOf, ROOT } from "../names.ts";
import type { Progress } from "../verdict/decide.ts";
import type { Decision } from "../verdict/diagnosis.ts";
import type { Evidence as Seen, ServerReading, WitnessReading } from "../verdict/observation.ts";
import { hasToken, mayAnswer, valuesOf } from "../verdict/publication-status.ts";
import { secondsRemaining } from "../verdict/standing.ts";
import { sentencesFor } from "../words/diagnoses/diagnoses.ts";
import { awaitedSentence } from "../words/diagnoses/publication.ts";
import { FAILURE_WORDS } from "../words/failures.ts";
import { PANELS } from "../words/providers.ts";
import { durationInWords, joinList } from "../words/wording.ts";
import { InvalidInput } from "./invalid-input.ts";

/** The facts behind a verdict, as plain JSON. Texts from DNS are bounded and escaped. The next read uses `progress`. */
export type Evidence = { seen: Seen; decision: Decision; progress: Progress };

/** Who runs the nameservers; `operator` is null if unknown. They serve a saved record after `publishingMinutes`. */
export function hostOf(nameservers: readonly string[]) {
  const provider = providerOf(nameservers);
  const { operator, publishingMinutes } = PANELS[provider];
  return { provider, operator: provider === "other" ? null : operator, publishingMinutes };
}

/** Explains a verdict from its evidence alone, without any packet, for example after an update of this package. */
export function explain({ seen, decision }: Evidence) {
  if (!seen?.delegation || !decision?.outcome)
    throw new InvalidInput("evidence", "This is not the evidence of a check.");
  return {
    /** `cause` says what is wrong, `fix` what to change and where; both are null if the record is found. */
    ...sentencesOf(seen, decision),
    /** The zone that was read; null if nothing is delegated, or the read did not get that far. */
    zone: zoneSummary(seen),
    nameservers: seen.servers.map((server) => serverSummary(seen, server.host, server)),
    /** Resolvers are asked only if the nameservers' answers call for it. `validated` is the answer's AD flag. */
    resolvers: (seen.witnesses ?? []).map((witness) => ({
      ...serverSummary(seen, witness.name, witness),
      validated: witness.ad,
    })),
  };
}
export type Explanation = ReturnType<typeof explain>;

function sentencesOf(seen: Seen, decision: Decision): Record<"cause" | "fix", string | null> {
  if (decision.outcome === "found") return { cause: null, fix: null };
  if (decision.outcome === "unresolvable") {
    const requirement = seen.byResolvers ? "the resolvers over HTTPS" : PORT_53;
    return { cause: failureOf(seen), fix: `Let this machine reach ${requirement}, and try again.` };
  }
  const { diagnosis, wait } = decision;
  const { label, domain, token } = seen;
  const { name = null, provider = "other" } = zoneSummary(seen) ?? {};
  if (diagnosis) return sentencesFor(diagnosis, { label, domain, token, zone: name, provider });
  const secondsLeft = wait ? secondsRemaining(wait.until, seen.at + seen.durationMs) : 0;
  const fix = `Leave the record as it is for ${durationInWords(secondsLeft)}.`;
  const published = wait?.reason === "nameserver_sync" && wait.observed;
  return { cause: published ? awaitedSentence(published) : DISAGREEMENT, fix };
}

/** Times are in seconds. `negativeTtl` is min(TTL of the SOA record, MINIMUM) (RFC 2308 section 5). */
function zoneSummary({ delegation, soa }: Seen) {
  if (delegation.type !== "delegated") return null;
  const { zone: name, parent, ttl, nameservers } = delegation;
  const negativeTtl = soa && Math.min(soa.ttl, soa.minimum);
  return { name, parent, ttl, negativeTtl, ...hostOf(nameservers) };
}

function serverSummary(seen: Seen, name: string, server: ServerReading | WitnessReading) {
  const { address, result, answer, latencyMs } = server;
  const exchanges = seen.exchanges.filter(
    (exchange) => exchange.server === name && exchange.question.name === seen.challengeName,
  );
  const lastExchange =
    exchanges.findLast((exchange) => exchange.result === "answered") ?? exchanges.at(-1);
  return {
    ...{ name, address, result, latencyMs },
    transport: lastExchange?.transport ?? null,
    rcode: answer?.rcode ?? null,
    hasRecord: answer && hasToken(answer, seen.token),
    values: answer ? [...valuesOf(answer)] : [],
    alias: answer?.alias?.target ?? null,
    /** What the server does, to follow its name in a sentence: "has no TXT there". */
    says: answerInWords(server, seen.type),
  };
}
export type ServerSummary = ReturnType<typeof serverSummary>;

function answerInWords({ result, answer }: ServerReading | WitnessReading, type = "TXT"): string {
  if (result !== "answered") return FAILURE_WORDS[result];
  if (answer?.alias) return `is a CNAME for ${answer.alias.target}`;
  const values = answer ? valuesOf(answer) : [];
  if (values.length > 0) return `has ${values.map((value) => `“${value}”`).join(", ")}`;
  return answer?.rcode === "NXDOMAIN" ? "has no such name" : `has no ${type} there`;
}

const DISAGREEMENT =
  "The zone's nameservers do not agree yet on whether the record's name is delegated.";
const PORT_53 = "port 53 of any address over UDP and TCP";

function failureOf({ delegation, limit, servers, witnesses, type, confirmation }: Seen): string {
  if (delegation.type === "unreachable") {
    const { zone } = delegation;
    return `No server of ${zone === ROOT ? "the root" : zone} answers this machine.`;
  }
  if (limit === "tcp") return "This machine cannot open TCP connections to port 53.";
  if (servers.length > 0 && servers.every(({ result }) => result === "ipv6_only"))
    return "The zone's nameservers have only IPv6 addresses, and this machine has no IPv6.";
  const silent = (witnesses ?? []).filter((witness) => !mayAnswer(witness));
  if (silent.length > 0)
    return `Too few of the configured resolvers gave a usable answer. None came from ${joinList(silent.map(({ name }) => name))}.`;
  if (type && confirmation?.confirmed)
    return "The zone is signed, and too few resolvers say that they validated its CNAME.";
  return "The check did not finish within its limits.";
}
