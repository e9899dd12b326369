import { ROOT_ANCHORS } from "../dnssec/anchors.ts";
import { isQueryable, lowerCase, under } from "../names.ts";
import { createReader } from "../resolve/create-reader.ts";
import { PUBLIC_RESOLVERS } from "../resolve/public-resolvers.ts";
import type { Reader, ReaderSettings } from "../resolve/reader.ts";
import { IANA_ROOT_HINTS } from "../resolve/root-hints.ts";
import type { Diagnosis, Wait } from "../verdict/diagnosis.ts";
import { checkRecord } from "./check.ts";
import { queryOf } from "./check-question.ts";
import { type Evidence, type Explanation, explain, hostOf } from "./explain.ts";
import { InvalidInput, refuseUnknown } from "./invalid-input.ts";
import { judge } from "./judge.ts";
import { type CheckQuestion, check as checkHttps, type ResolverOptions } from "./resolvers.ts";
import { asciiName } from "./typed-name.ts";

export { durationInWords } from "../words/wording.ts";
export { type Check, type LastSeen, lastSeen } from "./check.ts";
export type { ServerSummary } from "./explain.ts";
export type { CheckQuestion } from "./resolvers.ts";
export { type Diagnosis, type Evidence, type Explanation, explain, InvalidInput, type Wait };

/** The default is the public DNS, from IANA's root servers and keys, with three public resolvers as witnesses. */
export type Options = Partial<ReaderSettings> & { signal?: AbortSignal };

/** With the transport "https", only `resolvers` are asked, for machines where port 53 is shut. */
export type CheckOptions = Options & ResolverOptions & { transport?: "https" };

/** `token` has 16 to 255 printable ASCII characters. `label` precedes the domain; default `_service-challenge`. */
export type Question = {
  domain: string;
  token: string;
  label?: string;
  /** The evidence of the last verdict, from which waits are counted. It is ignored if it is about another question. */
  before?: Evidence | undefined;
};

/** If only time is needed, `wait` says until when, in epoch milliseconds. */
export type Verdict = Explanation & {
  outcome: "found" | "absent" | "unresolvable";
  diagnosis: Diagnosis | null;
  wait: Wait | null;
  evidence: Evidence;
};

const DEFAULT_SETTINGS: ReaderSettings = {
  rootHints: IANA_ROOT_HINTS,
  trustAnchors: ROOT_ANCHORS,
  witnesses: PUBLIC_RESOLVERS,
  allowAddresses: [],
  port: 53,
};

const OPTION_NAMES = [
  ...Object.keys(DEFAULT_SETTINGS),
  ...["signal", "outsiders", "denyAddresses", "authorities"],
  ...["packetsPerAddress", "patience", "clock", "onPackets"],
];

const domainOf = (typed: string) => asciiName(typed.replace(/\.$/, ""));

async function withReader<T>(
  { signal = new AbortController().signal, ...settings }: Options,
  ask: (reader: Reader, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  refuseUnknown(settings, OPTION_NAMES);
  const reader = createReader({ ...DEFAULT_SETTINGS, ...settings });
  try {
    return await ask(reader, signal);
  } finally {
    reader.close();
  }
}

/**
 * Whether the TXT record `label`.`domain` has `token` on all nameservers, and what is wrong if not. Sends at most 60
 * packets in 20 seconds. Throws InvalidInput before any packet. Rejects when `signal` aborts, never for what DNS
 * answers.
 */
export async function verify(
  { domain: typed, token, label: typedLabel = "_service-challenge", before, ...stray }: Question,
  options: Options = {},
): Promise<Verdict> {
  refuseUnknown(stray, []);
  const domain = domainOf(typed);
  const label = lowerCase(typedLabel);
  if (!/^[a-z0-9_.-]+$/.test(label) || !isQueryable(label))
    throw new InvalidInput(
      "label",
      "A label can have only letters, digits, hyphens and underscores.",
    );
  if (under(label, domain) === null)
    throw new InvalidInput("domain", `${label}.${domain} is longer than a DNS name may be.`);
  if (!/^[!-~]([ -~]{14,253})[!-~]$/.test(token))
    throw new InvalidInput("token", "A token has 16 to 255 printable ASCII characters.");
  const seen = await withReader(options, (reader, signal) =>
    reader.readChallenge({ domain, label, token }, signal),
  );
  const evidence = judge(seen, before);
  const { decision } = evidence;
  const { diagnosis = null, wait = null } = decision.outcome === "absent" ? decision : {};
  return { outcome: decision.outcome, diagnosis, wait, ...explain(evidence), evidence };
}

/** Whether any TXT or CNAME record is published, and what is wrong if not. Throws and rejects as verify does. */
export async function check({ before, ...question }: CheckQuestion, options: CheckOptions = {}) {
  const { transport, ...settings } = options;
  if (transport === "https") return checkHttps({ before, ...question }, settings);
  if (transport !== undefined)
    throw new InvalidInput("options", "The transport must be “https” or left out.");
  const query = queryOf(question);
  return withReader(settings, (reader, signal) => checkRecord(query, { reader, signal, before }));
}

/** The zone that holds `domain`: who serves it, and whether it is signed. Throws and rejects as verify does. */
export async function zone(domain: string, options: Options = {}) {
  const name = domainOf(domain);
  const read = await withReader(options, (reader, signal) => reader.readZone(name, signal));
  return read.type === "read" ? { ...read, ...hostOf(read.nameservers) } : read;
}
