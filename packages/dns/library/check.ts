import { randomInt } from "node:crypto";
import type { Reader } from "../resolve/reader.ts";
import { decide, type Progress, progressOf } from "../verdict/decide.ts";
import type { Awaits, Diagnosis, DiagnosisCode, Wait } from "../verdict/diagnosis.ts";
import { evidenceOf } from "../verdict/evidence.ts";
import { UNREAD } from "../verdict/history.ts";
import { prefixOf } from "../verdict/near-misses.ts";
import type { Evidence as Seen } from "../verdict/observation.ts";
import { valuesOf } from "../verdict/publication-status.ts";
import { standingOf } from "../verdict/standing.ts";
import { explain as adviceFor, headlineOf } from "../words/diagnoses/diagnoses.ts";
import type { Paste } from "../words/wording.ts";
import { type Nearest, nearestOf } from "./check-nearest.ts";
import type { RecordAsked, RecordType } from "./check-question.ts";
import { type Explanation, explain } from "./explain.ts";
import { type Vendor, vendorOf } from "./vendors.ts";

/** The thirteen codes where they apply, and what is wrong only with a record of others. */
export type CheckCode =
  | DiagnosisCode
  /** The name is an alias, and where that leads the value is not. */
  | "alias_elsewhere"
  /** Records of another type are at the name; of a CNAME's, addresses that are its target's own, or a proxy's. */
  | "wrong_type"
  | "flattened"
  | "proxied";

export type Check = Explanation & {
  name: string;
  type: RecordType;
  /** The first that was asked for. */
  value: string;
  outcome: "found" | "absent" | "unresolvable";
  /** Null unless absent, and while only time is needed. */
  code: CheckCode | null;
  /** The facts of a code that is one of the thirteen. */
  diagnosis: Diagnosis | null;
  headline: string | null;
  awaits: Awaits | null;
  /** What the end of `fix` says, for fields with a button to copy. */
  pastes: Paste[];
  nearest: Nearest | null;
  /** Other values at the name. */
  others: number;
  /** The aliases that were followed, in turn. */
  aliases: { name: string; target: string }[];
  vendor: Vendor | null;
  /** When to ask again, where nothing but time is needed. */
  wait: Wait | null;
  /** Registry, nameservers and resolvers as the check saw them, escaped and bounded; the map of a record shows it. */
  where: Seen;
  progress: Progress;
};

type Reading = {
  reader: Pick<Reader, "readChallenge">;
  signal: AbortSignal;
  /** Of the same record: waits and a second read are counted from there. */
  before?: Check | undefined;
  isAwaited?: () => boolean;
};

/** Whether the record is on all nameservers and public resolvers see it, and what is wrong if not. */
export async function checkRecord(asked: RecordAsked, reading: Reading): Promise<Check> {
  const { name, label, domain, type, values } = asked;
  const { reader, signal, before, isAwaited = () => true } = reading;
  const [value] = values;
  const seen = await reader.readChallenge({ domain, label, token: value, isAwaited }, signal);
  const isSame = before?.name === name && before.type === type && before.value === value;
  const history = {
    ...{ ...UNREAD, ...(isSame && before.progress), chance: randomInt(2 ** 47) / 2 ** 47 },
    ...{ endedTokens: [], domainOf: () => null, tokenPrefix: prefixOf(value) ?? "(?!)" },
  };
  const standing = standingOf(seen, history);
  const decision = decide(standing);
  const { diagnosis = null, wait = null } = decision.outcome === "absent" ? decision : {};
  const where = evidenceOf(seen);
  const progress = progressOf(standing);
  const said = explain({ seen: where, decision, progress });
  const there = seen.servers.flatMap(({ answer }) => (answer ? valuesOf(answer) : []));
  const others = [...new Set(there)].filter((one) => !values.includes(one));
  const nearest = decision.outcome === "absent" ? nearestOf(others, values) : null;
  const { name: zone = null, provider = "other" } = said.zone ?? {};
  const place = { label, domain, zone, token: value, provider };
  return {
    ...{ name, type, value, outcome: decision.outcome, code: diagnosis?.code ?? null, diagnosis },
    ...said,
    headline: diagnosis && headlineOf(diagnosis),
    awaits: diagnosis?.awaits ?? null,
    pastes: diagnosis ? adviceFor(diagnosis, place).pastes : [],
    ...{ nearest, others: others.length - (nearest ? 1 : 0), aliases: [], wait, where, progress },
    vendor: vendorOf(name, values),
  };
}
