import { createReadStream, existsSync } from "node:fs";
import { MAX_RECEIPT, PART_NAMES, type Report } from "@deed/receipt/report.ts";
import {
  ABOUT_ITS_MOMENT,
  factsOf,
  headlineOf,
  STATE_WORDS,
  sentenceOf,
} from "@deed/receipt/sentences.ts";
import { ASSURANCES, type Statement } from "@deed/receipt/statement.ts";
import { verifyReceipt } from "@deed/receipt/verify.ts";
import type { Command } from "commander";
import { readUpTo } from "#app/core/read-up-to.ts";
import { certificatesIn } from "#app/environment/certificates.ts";
import { optionsOf as fieldOptions, keySetIn } from "#app/features/receipts/view/fields.ts";
import {
  CommandError,
  causeOf,
  EXIT,
  messageOf,
  printJson,
  styled,
  toOneLine,
  UsageError,
} from "../support/output.ts";

export const HELP = `
Checks a receipt of a proof and says what it shows, whom you need to trust for each part, and what it does not show.
Uses no settings, and no network unless you give an address, and judges everything as of the moment of the proof.

A receipt carries the key that signed it, so without --key it can only say which key that was. --key takes the
thumbprint that you have from the installation, or its key set, saved from /.well-known/jwks.json. With both, the
thumbprint must be that of the key that signs now, and the key set says which keys have ended.

A stamp says when a receipt existed, if it leads to a root of DigiCert, GlobalSign or Sectigo, or of --timestamp-roots.

With --online, and only then, it asks the installation whether the proof link is still shared.

Exit codes:
  0  good
  1  bad: something is wrong, or it is not from the key or the holder you expect
  2  wrong usage
  3  nothing is wrong, but it is weaker than asked: no --key, less than --require, or the link is not shared

Examples:
  deed verify receipt.json --key 00SqZ_v08jiy-WtjBFz8AR7SGxkJX1as3Iud0Xu8zuQ
  deed verify receipt.json --key jwks.json --require dnssec
  deed verify receipt.json --key 00SqZ_… --key https://deed.example.org/.well-known/jwks.json
  deed verify receipt.json --key jwks.json --holder mara@acme.com --opening MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY
  deed verify receipt.json --key jwks.json --online https://deed.example.org/p/…
  curl -s https://deed.example.org/api/proofs/…/receipt | deed verify - --json`;

const EXIT_WEAKER = 3;

const append = (value: string, earlier: string[] = []) => [...earlier, value];

export const register = (command: Command) =>
  command
    .description("check a receipt of a proof, offline")
    .argument("<file>", "the receipt; - for standard input")
    .option(
      "--key <key>",
      "a thumbprint, or a key set: a file or an https address; may be repeated",
      append,
    )
    .option("--require <assurance>", "the weakest assurance to accept: dnssec or witnessed")
    .option("--holder <address>", "whether this address held the proof; needs --opening")
    .option("--opening <opening>", "what the holder gave you: 43 characters")
    .option("--anchor <ds>", "a DS record in place of the root's keys; may be repeated", append)
    .option("--timestamp-roots <file>", "more root certificates (PEM) to accept for stamps")
    .option("--online <link>", "ask the installation whether this proof link is still shared")
    .option("--json", "print JSON")
    .action(verify);

type Flags = {
  key?: string[];
  require?: string;
  holder?: string;
  opening?: string;
  anchor?: string[];
  timestampRoots?: string;
  online?: string;
  json?: true;
};

async function verify(file: string, flags: Flags): Promise<void> {
  const options = await optionsOf(flags);
  const link = flags.online === undefined ? null : proofLinkOf(flags.online);
  // One octet too many makes verifyReceipt refuse the file.
  const report = await verifyReceipt(await readStart(file, MAX_RECEIPT + 1), options);
  const online = link && report.statement ? await askProofLink(link, report.statement) : null;
  const isWeaker = report.verdict === "weaker" || (link !== null && online?.type !== "shared");
  process.exitCode = report.verdict === "bad" ? EXIT.failure : isWeaker ? EXIT_WEAKER : EXIT.ok;
  if (flags.json) printJson(link ? { ...report, online } : report);
  else printText(report, online);
}

async function optionsOf(flags: Flags) {
  // A script's empty variable must not count as an option that was not given.
  if (Object.values(flags).flat().includes("")) throw new UsageError("An option is empty.");
  const { key = [], require = "", holder = "", opening = "", anchor = [] } = flags;
  const options = fieldOptions({ key: "", require, holder, opening, anchors: anchor.join("\n") });
  if (typeof options === "string") throw new UsageError(options);
  if (require !== (options.require ?? ""))
    throw new UsageError(`--require is one of: ${ASSURANCES.join(", ")}.`);
  const roots = flags.timestampRoots === undefined ? [] : await rootsIn(flags.timestampRoots);
  return { ...options, ...(await readKeys(key)), stampRoots: roots };
}

async function rootsIn(file: string) {
  const text = await textOf(file);
  try {
    const certificates = certificatesIn(text);
    if (certificates.length > 0) return certificates;
  } catch {}
  throw new UsageError(`${file} has no certificate in PEM.`);
}

const textOf = async (file: string) => new TextDecoder().decode(await readStart(file, MAX_RECEIPT));

/** Reads the keys to expect. With thumbprints, a key set only says when the installation's keys began and ended. */
async function readKeys(texts: string[]) {
  const thumbprints = texts.filter((key) => /^[\w-]{43}$/.test(key) && !existsSync(key));
  const sets: NonNullable<ReturnType<typeof keySetIn>>[] = [];
  for (const key of texts.filter((text) => !thumbprints.includes(text))) {
    const set = keySetIn(/^https:\/\//.test(key) ? await fetchKeys(key) : await textOf(key));
    if (!set) throw new UsageError(`${key} is neither a thumbprint nor an Ed25519 key set.`);
    sets.push(set);
  }
  const [{ history } = {}] = sets;
  const keys = thumbprints.length > 0 ? thumbprints : sets.flatMap((set) => set.keys);
  return { keys, ...(history !== undefined && { history }) };
}

const request = (url: string) =>
  fetch(url, { signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS), redirect: "error" });

async function fetchKeys(url: string): Promise<string> {
  try {
    return await bodyOf(await request(url));
  } catch (error) {
    throw new CommandError(`${url} gave no key set: ${causeOf(error)}`, EXIT.usage);
  }
}

/** Reads the start of a file, or of standard input for "-". */
async function readStart(file: string, limit: number): Promise<Uint8Array> {
  try {
    return await readUpTo(limit, file === "-" ? process.stdin : createReadStream(file));
  } catch (error) {
    throw new CommandError(`${file} cannot be read: ${messageOf(error)}`, EXIT.usage);
  }
}

const STATE_COLORS = { shown: "green", not_shown: "yellow", wrong: "red" } as const;
const VERDICT_COLORS = { good: "green", weaker: "yellow", bad: "red" } as const;
const LABEL_WIDTH = 14;

const LINK_SENTENCES: Record<LinkAnswer["type"], string> = {
  shared: "The proof link is still shared, and shows this proof.",
  another_proof: "The proof link shows a different proof.",
  not_shared: "The proof link is no longer shared, or never was.",
  another_installation:
    "The link and the receipt are from different installations, so the link was not opened.",
  unreachable: "The installation gave no answer",
};

function printText(report: Report, online: LinkAnswer | null): void {
  const { verdict, statement, parts } = report;
  console.log(styled(["bold", VERDICT_COLORS[verdict]], headlineOf(report)));
  const wrongPart = parts.find(({ state }) => state === "wrong");
  if (wrongPart) console.log(sentenceOf(wrongPart));
  if (statement) console.log("");
  for (const [label, value] of statement ? factsOf(statement) : [])
    console.log(`${label.padEnd(LABEL_WIDTH)}${value}`);
  for (const part of parts) {
    const state = styled(STATE_COLORS[part.state], STATE_WORDS[part.state]);
    console.log(`\n${PART_NAMES[part.part]}: ${state}\n  ${sentenceOf(part)}`);
  }
  if (online) {
    const reason = online.type === "unreachable" ? `: ${toOneLine(online.reason)}.` : "";
    console.log(`\nLink\n  ${LINK_SENTENCES[online.type]}${reason}`);
  }
  if (statement) console.log(`\n${ABOUT_ITS_MOMENT}`);
}

const ANSWER_TIMEOUT_MS = 10_000;
const MAX_ANSWER_OCTETS = 64 * 1024;

export type LinkAnswer =
  | { type: "shared" | "not_shared" | "another_proof" | "another_installation" }
  | { type: "unreachable"; reason: string };

/** Reads a proof link. Throws a UsageError for any other text, and for plain http except on this machine. */
export function proofLinkOf(text: string) {
  const link = URL.canParse(text) ? new URL(text) : null;
  const [, slug] = /^\/p\/([\w-]{16,64})\/?$/.exec(link?.pathname ?? "") ?? [];
  const isLoopback = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(link?.hostname ?? "");
  const isSafe = link?.protocol === "https:" || (link?.protocol === "http:" && isLoopback);
  if (link && slug && isSafe) return { origin: link.origin, slug };
  throw new UsageError("--online needs a proof link, such as https://deed.example.org/p/…");
}

/** Asks a link about a proof, if the statement names its installation: a stranger may have made the receipt, but not the link. */
export async function askProofLink(
  link: ReturnType<typeof proofLinkOf>,
  statement: Statement,
): Promise<LinkAnswer> {
  if (link.origin !== statement.iss) return { type: "another_installation" };
  try {
    const answer = await request(`${link.origin}/api/proofs/${link.slug}`);
    if (answer.status === 404 || answer.status === 410) return { type: "not_shared" };
    if (answer.status !== 200) throw new Error(`it answered ${answer.status}`);
    const { domain, token, provedAt } = JSON.parse(await bodyOf(answer)) as Record<string, unknown>;
    const isSame =
      domain === statement.sub && token === statement.token && provedAt === statement.provedAt;
    return { type: isSame ? "shared" : "another_proof" };
  } catch (error) {
    return { type: "unreachable", reason: causeOf(error) };
  }
}

async function bodyOf({ body }: Response): Promise<string> {
  const octets = await readUpTo(MAX_ANSWER_OCTETS + 1, body ?? []);
  if (octets.length > MAX_ANSWER_OCTETS) throw new Error("its answer is too long");
  return octets.toString("utf8");
}
