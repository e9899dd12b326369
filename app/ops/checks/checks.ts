import { timeSources } from "@deed/dns/resolve/https-time.ts";
import { escapeUntrusted } from "@deed/dns/verdict/escape-untrusted.ts";
import { durationInWords } from "@deed/dns/words/wording.ts";
import { unlessAborted, withTimeLimit } from "#app/core/time.ts";
import { type Env, EnvironmentError, parseEnvironment } from "#app/environment/env.server.ts";
import { messageOf } from "#app/environment/error-messages.ts";
import { reasonOf } from "#app/environment/paths.server.ts";
import { unknownNames, warningsOf } from "#app/environment/warnings.ts";
import { readerSettings } from "#app/ops/settings.server.ts";
import { buildFacts } from "#db/package-file.ts";
import { examineClock } from "./clock.ts";
import { examineDatabase, examineLitefs } from "./database.ts";
import { adviceOn, examineDisk, examineFiles, examinePaths } from "./disk.ts";
import { about, type Finding, SETTINGS, withAdvice } from "./finding.ts";
import { examineListening, examinePort } from "./port.ts";
import { examineIpv6, examineRootServers } from "./root-servers.ts";
import { examineIdentityProvider, examineMail, examineStamper } from "./servers.ts";
import { examineAddress, examineSignUp } from "./sign-up.ts";
import { examineWitnesses } from "./witnesses.ts";

/** This exceeds every probe's own time limit, which a server that sends byte by byte may never reach. */
const PROBE_TIMEOUT_MS = 12_000;

/** The longest text of a finding, since texts from servers, paths and variables cannot be trusted on a terminal. */
const MAX_LENGTH = 1_000;
const escapeFinding = (finding: Finding): Finding => ({
  ...finding,
  text: escapeUntrusted(finding.text, MAX_LENGTH),
  advice: finding.advice && escapeUntrusted(finding.advice, MAX_LENGTH),
});

const configuration = about("Configuration");

/** Reads the settings without the bad values, so that the rest can be checked. */
function usableEnv(source: NodeJS.Dict<string>, problems: readonly string[]): Env {
  const named = problems.join(" ").match(/\b[A-Z][A-Z0-9_]+\b/g) ?? [];
  const badNames = new Set(named.flatMap((name) => [name, `${name}_FILE`]));
  const usable = Object.fromEntries(Object.entries(source).filter(([name]) => !badNames.has(name)));
  try {
    return parseEnvironment(usable);
  } catch (error) {
    if (!(error instanceof EnvironmentError)) throw error;
    const isStuck = Object.keys(usable).length === Object.keys(source).length;
    return isStuck ? parseEnvironment({}) : usableEnv(usable, error.problems);
  }
}

function examineConfiguration(source: NodeJS.Dict<string>, dotEnv: NodeJS.Dict<string>) {
  try {
    const env = parseEnvironment(source, dotEnv);
    const findings = [...warningsOf(env), ...unknownNames(source, dotEnv)].flatMap(({ message }) =>
      configuration.warning(...withAdvice(message)),
    );
    return { env, findings: findings[0] ? findings : configuration.ok("every value is valid") };
  } catch (error) {
    if (!(error instanceof EnvironmentError)) throw error;
    const findings = error.problems.flatMap((problem) => configuration.broken(problem, SETTINGS));
    return { env: usableEnv(source, error.problems), findings };
  }
}

function examineBuild(): Finding[] {
  const { version, committedAt } = buildFacts();
  if (!committedAt) return about("Build").ok(`${version}, of unknown age`);
  const seconds = (Date.now() - Date.parse(committedAt)) / 1_000;
  return about("Build").ok(`${version}, ${durationInWords(seconds)} old`);
}

/** `authorities` are CA certificates (PEM) for witnesses, by default Node's. */
type Options = { mailTo: string | null; authorities?: string[] };

/** A check, which may throw, and ends soon after `signal` aborts. */
type Probe = (signal: AbortSignal) => Finding[] | Promise<Finding[]>;

/** Runs a probe. If it throws or does not end, that becomes a finding. */
async function runProbe(subject: string, probe: Probe): Promise<Finding[]> {
  const { broken } = about(subject);
  let isLate = false;
  try {
    return await withTimeLimit(PROBE_TIMEOUT_MS, undefined, (timeLimit) => {
      timeLimit.addEventListener("abort", () => (isLate = true));
      return unlessAborted((async () => probe(timeLimit))(), timeLimit);
    });
  } catch (error) {
    if (isLate)
      return broken(
        `no result within ${PROBE_TIMEOUT_MS / 1_000} s`,
        "Run it again. If it is still slow, find out what is slow on the way there.",
      );
    const { code, path } = error as NodeJS.ErrnoException;
    if (path && (code === "EACCES" || code === "EPERM")) {
      const text = reasonOf(error, path);
      return broken(text, adviceOn(text));
    }
    return broken(`could not be examined: ${messageOf(error)}`, "Report this as a bug in Deed.");
  }
}

/** `atStart` replaces `check` before a start, which a broken part would prevent. */
type Check = { name: string; check: Probe; atStart?: () => ReturnType<Probe> };

function checksOf(env: Env, { mailTo, authorities }: Options): Check[] {
  const settings = { ...readerSettings(env), ...(authorities && { authorities }) };
  const isTrusted = env.CLOCK_TRUSTED === "on";
  return [
    { name: "Port", check: () => examinePort(env), atStart: () => examineListening(env) },
    { name: "DNS", check: (signal) => examineRootServers(settings, signal) },
    { name: "IPv6", check: (signal) => examineIpv6(settings, signal) },
    { name: "Witness", check: (signal) => examineWitnesses(settings, signal) },
    { name: "Clock", check: (signal) => examineClock(timeSources(settings), isTrusted, signal) },
    { name: "Email", check: () => examineMail(env, mailTo) },
    { name: "OpenID Connect", check: () => examineIdentityProvider(env) },
    { name: "Stamps", check: (signal) => examineStamper(env, signal) },
    { name: "Disk", check: () => examineDisk(env), atStart: () => examinePaths(env) },
    { name: "Files", check: () => examineFiles(env) },
    { name: "LiteFS", check: () => examineLitefs(env) },
  ];
}

/** Returns a line for each broken part. `taken` names parts that this process has locked, which are not checked. */
export async function startProblems(env: Env, taken: readonly string[]): Promise<string[]> {
  const checks = checksOf(env, { mailTo: null }).filter(({ name }) => !taken.includes(name));
  const findings = await Promise.all(checks.map(({ atStart }) => atStart?.() ?? []));
  return findings.flat().flatMap(({ status, text }) => (status === "broken" ? [text] : []));
}

export async function examine({
  source,
  dotEnv = {},
  ...options
}: Options & { source: NodeJS.Dict<string>; dotEnv?: NodeJS.Dict<string> }): Promise<Finding[]> {
  const { env, findings } = examineConfiguration(source, dotEnv);
  const checks = checksOf(env, options);
  const results = await Promise.all(checks.map(({ name, check }) => runProbe(name, check)));
  // The database comes last, because reading the whole file blocks, and the other checks' answers would be missed.
  const database = await runProbe("Database", () => examineDatabase(env));
  results.push(database);
  // These checks read the database, or say which variables are not set.
  if ([...database, ...findings].every(({ status }) => status !== "broken"))
    results.push(await runProbe("Sign-up", () => [...examineAddress(env), ...examineSignUp(env)]));
  return [...examineBuild(), ...findings, ...results.flat()].map(escapeFinding);
}
