import { randomBytes } from "node:crypto";
import { type Check, check, type Evidence, type Options, type Verdict, verify } from "@deed/dns";
import type { RecordQuery } from "@deed/dns/library/check-question.ts";
import type { Decision } from "@deed/dns/verdict/diagnosis.ts";
import { prefixOf } from "@deed/dns/verdict/near-misses.ts";
import { DeedError } from "#app/core/errors.server.ts";
import { claimableName } from "#app/core/names/domain-name.ts";
import { parseEnvironment, VARIABLES } from "#app/environment/env.server.ts";
import { recordQuery } from "#app/features/checks/checks.server.ts";
import type { LastRead } from "#app/features/checks/follow.ts";
import { pastedRecord, type TypedRecord } from "#app/features/checks/pasted-record.ts";
import { readerSettings } from "#app/ops/settings.server.ts";
import { orCommandError } from "../support/environment.ts";
import { EXIT, UsageError } from "../support/output.ts";

type Question = ReturnType<typeof questionOf>;

/** A check only reads settings about DNS, so that no other setting of the service can prevent it. */
const DNS_VARIABLES = VARIABLES.filter((name) => /^(?:DNS_|CHALLENGE_LABEL$)/.test(name));

/** Reads the settings of a check. Throws a CommandError on a bad value. */
export function checkSettings(source: Record<string, string | undefined>) {
  const values = Object.fromEntries(DNS_VARIABLES.map((name) => [name, source[name]]));
  const env = orCommandError(() => parseEnvironment(values));
  return { reader: readerSettings(env), label: env.CHALLENGE_LABEL };
}

/** Reads the arguments. Throws a UsageError that says what is wrong with the name or the token. */
export function questionOf(name: string, token: string | undefined, label: string) {
  try {
    const { ascii, unicode } = claimableName(name, label);
    const trimmedToken = token?.trim();
    if (trimmedToken !== undefined && prefixOf(trimmedToken) === null)
      throw new UsageError(
        "A token is a prefix and 40 hexadecimal digits, such as service_v1_0123456789abcdef0123456789abcdef01234567.",
      );
    // Without a token, the check looks at the zone only.
    return { domain: ascii, unicode, label, token: trimmedToken ?? null };
  } catch (error) {
    if (!(error instanceof DeedError)) throw error;
    throw new UsageError(`${name}: ${error.message}`);
  }
}

/** The result of a check. `check` is present only with --record. */
export type Reading = { question: Question; verdict: Verdict; check?: Check };

/** Reads the record of --record. Throws a CommandError that says what is wrong with it. */
export const recordOf = (typed: TypedRecord): RecordQuery =>
  orCommandError(() => recordQuery(pastedRecord(typed)), EXIT.usage);

export function recordReader(settings: Options, { name, type, values }: RecordQuery) {
  let before: Check | undefined;
  return async (signal: AbortSignal): Promise<Reading> => {
    before = await check({ name, type, value: values, before }, { ...settings, signal });
    const { where: seen, progress, outcome, diagnosis, wait } = before;
    const decision = { outcome, diagnosis, wait } as Decision;
    const question = { domain: name, unicode: name, label: "", token: values[0] };
    return {
      ...{ question, check: before },
      verdict: { ...before, evidence: { seen, decision, progress } },
    };
  };
}

/** Returns a function that reads DNS and counts waits from its last read. It rejects when `signal` aborts. */
export function tokenReader(settings: Options, question: Question) {
  const { domain, label } = question;
  // No zone has this token, which is for reading a name without a record.
  const token = question.token ?? `none_${randomBytes(20).toString("hex")}`;
  let before: Evidence | undefined;
  return async (signal: AbortSignal): Promise<Reading> => {
    const verdict = await verify({ domain, label, token, before }, { ...settings, signal });
    before = verdict.evidence;
    return { question, verdict };
  };
}

export const lastReadOf = ({ verdict: { outcome, wait, evidence } }: Reading): LastRead => ({
  ...{ outcome, wait, at: evidence.seen.at, secondReadAt: evidence.progress.secondReadAt },
});

/** Returns the exit code of a check; 3 means that DNS could not be read. */
export function exitCodeOf({ question, verdict }: Reading): 0 | 1 | 3 {
  const { outcome, zone, evidence } = verdict;
  if (outcome === "unresolvable") return 3;
  const isZoneRead = zone !== null && evidence.seen.servers.some(({ answer }) => answer !== null);
  return (question.token === null ? isZoneRead : outcome === "found") ? 0 : 1;
}
