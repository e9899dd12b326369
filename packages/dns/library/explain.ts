import { providerOf, ROOT } from "../names.ts";
import type { Progress } from "../verdict/decide.ts";
import type { Decision } from "../verdict/diagnosis.ts";
import type { Evidence as Seen } from "../verdict/observation.ts";
import { secondsRemaining } from "../verdict/proof.ts";
import { hasToken } from "../verdict/publication-status.ts";
import { sentencesFor } from "../words/diagnoses/diagnoses.ts";
import { durationInWords, joinList } from "../words/wording.ts";

/** All that a verdict rests on, as plain JSON: texts from DNS are bounded and escaped. `progress`: for the next read. */
export type Evidence = { seen: Seen; decision: Decision; progress: Progress };

/** Null: nothing is wrong. `cause`: one or two sentences; `fix`: one that says where to go and what to change. */
export type Words = { cause: string; fix: string } | null;

/** The words for a verdict again, such as after an update: from its evidence alone, without asking anybody. */
export function explain({ seen, decision }: Evidence): Words {
  if (decision.outcome === "found") return null;
  if (decision.outcome === "unresolvable") return { cause: failureOf(seen), fix: TRY_AGAIN };
  const { diagnosis, wait } = decision;
  if (diagnosis) return sentencesFor(diagnosis, placeOf(seen));
  const left = wait ? secondsRemaining(wait.until, seen.at + seen.durationMs) : 0;
  const fix = `Leave the record as it is for ${durationInWords(left)}.`;
  return { cause: syncing(seen), fix };
}

function placeOf({ label, domain, token, delegation }: Seen) {
  const [zone, nameservers] =
    delegation.type === "delegated" ? [delegation.zone, delegation.nameservers] : [null, []];
  return { label, domain, token, zone, provider: providerOf(nameservers) };
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
