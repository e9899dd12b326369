import { type Provider, providerOf, ROOT } from "../names.ts";
import type { Progress } from "../verdict/decide.ts";
import type { Decision } from "../verdict/diagnosis.ts";
import type {
  Exchange,
  Evidence as Seen,
  ServerReading,
  WitnessReading,
} from "../verdict/observation.ts";
import { secondsRemaining } from "../verdict/proof.ts";
import { hasToken, valuesOf } from "../verdict/publication-status.ts";
import { sentencesFor } from "../words/diagnoses/diagnoses.ts";
import { FAILURE_WORDS } from "../words/failures.ts";
import { PANELS } from "../words/providers.ts";
import { durationInWords, joinList } from "../words/wording.ts";

/** All that a verdict rests on, as plain JSON: texts from DNS are bounded and escaped. `progress`: for the next read. */
export type Evidence = { seen: Seen; decision: Decision; progress: Progress };

/** Who edits and serves a zone; null for what is not known of other providers. */
export type Host = {
  provider: Provider;
  operator: string | null;
  /** Until the nameservers serve a saved record. */
  publishingMinutes: number | null;
};

/** What one server said. `says`: the same after its name, such as "has no TXT there". */
export type Said = {
  name: string;
  address: string | null;
  transport: Exchange["transport"] | null;
  result: Exchange["result"];
  rcode: string | null;
  /** Null without an answer. */
  hasRecord: boolean | null;
  values: string[];
  alias: string | null;
  latencyMs: number | null;
  says: string;
};

export type Explanation = {
  /** One or two sentences; null if the record is found. */
  cause: string | null;
  /** One sentence that says where to go, and what to change there. */
  fix: string | null;
  /** Null if nothing is delegated, or the read did not get that far. Times in seconds; `negativeTtl`: RFC 2308 section 5. */
  zone: ({ name: string; parent: string; ttl: number; negativeTtl: number | null } & Host) | null;
  nameservers: Said[];
  /** Empty unless the nameservers gave a reason to ask them. `validated`: the answer's AD flag. */
  resolvers: (Said & { validated: boolean })[];
};

export function hostOf(nameservers: readonly string[]): Host {
  const provider = providerOf(nameservers);
  const { operator, publishingMinutes } = PANELS[provider];
  return { provider, operator: provider === "other" ? null : operator, publishingMinutes };
}

/** A verdict in words, such as again after an update: from its evidence alone, without asking anybody. */
export function explain({ seen, decision }: Evidence): Explanation {
  return {
    ...sentencesOf(seen, decision),
    zone: zoneIn(seen),
    nameservers: seen.servers.map((server) => said(seen, server.host, server)),
    resolvers: (seen.witnesses ?? []).map((witness) => ({
      ...said(seen, witness.name, witness),
      validated: witness.ad,
    })),
  };
}

function sentencesOf(seen: Seen, decision: Decision): Pick<Explanation, "cause" | "fix"> {
  if (decision.outcome === "found") return { cause: null, fix: null };
  if (decision.outcome === "unresolvable") return { cause: failureOf(seen), fix: TRY_AGAIN };
  const { diagnosis, wait } = decision;
  const { label, domain, token } = seen;
  const { name = null, provider = "other" } = zoneIn(seen) ?? {};
  if (diagnosis) return sentencesFor(diagnosis, { label, domain, token, zone: name, provider });
  const left = wait ? secondsRemaining(wait.until, seen.at + seen.durationMs) : 0;
  const fix = `Leave the record as it is for ${durationInWords(left)}.`;
  return { cause: syncing(seen), fix };
}

function zoneIn({ delegation, soa }: Seen): Explanation["zone"] {
  if (delegation.type !== "delegated") return null;
  const { zone: name, parent, ttl, nameservers } = delegation;
  const negativeTtl = soa && Math.min(soa.ttl, soa.minimum);
  return { name, parent, ttl, negativeTtl, ...hostOf(nameservers) };
}

function said(seen: Seen, name: string, server: ServerReading | WitnessReading): Said {
  const { address, result, answer, latencyMs } = server;
  const asked = seen.exchanges.filter(
    (one) => one.server === name && one.question.name === seen.challengeName,
  );
  const told = asked.findLast((one) => one.result === "answered") ?? asked.at(-1);
  return {
    ...{ name, address, result, latencyMs },
    transport: told?.transport ?? null,
    rcode: answer?.rcode ?? null,
    hasRecord: answer && hasToken(answer, seen.token),
    values: answer ? [...valuesOf(answer)] : [],
    alias: answer?.alias?.target ?? null,
    says: inWords(server),
  };
}

function inWords(server: ServerReading | WitnessReading): string {
  const { answer } = server;
  if (server.result !== "answered") return FAILURE_WORDS[server.result];
  if (!answer) return "has no TXT there";
  if (answer.alias) return `is an alias of ${answer.alias.target}`;
  const values = valuesOf(answer);
  if (values.length > 0) return `has ${values.map((value) => `“${value}”`).join(", ")}`;
  return answer.rcode === "NXDOMAIN" ? "has no such name" : "has no TXT there";
}

const TRY_AGAIN = "Let this machine reach port 53 of any address over UDP and TCP, and try again.";

function failureOf({ delegation, limit, servers, witnesses }: Seen): string {
  if (delegation.type === "unreachable") {
    const { zone } = delegation;
    return `No server of ${zone === ROOT ? "the root" : zone} answers this machine.`;
  }
  if (limit === "tcp") return "This machine cannot open TCP connections to port 53.";
  if (servers.length > 0 && servers.every(({ result }) => result === "ipv6_only"))
    return "The zone's nameservers have only IPv6 addresses, and this machine has no IPv6.";
  const silent = (witnesses ?? []).filter(({ result }) => result !== "answered");
  if (silent.length > 0)
    return `Too few of the configured resolvers answer: nothing usable from ${joinList(silent.map(({ name }) => name))}.`;
  return "The check did not finish within its limits.";
}

/** Why nothing but time is needed, for the one wait without a diagnosis. */
const syncing = ({ servers, token }: Seen): string =>
  servers.some(({ answer }) => answer && !hasToken(answer, token))
    ? "Some of the zone's nameservers have the record. The others update automatically."
    : "The record is there, but at least half of the zone's nameservers must answer.";
