import { createHmac, randomBytes } from "node:crypto";
import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import type { ChallengeQuestion } from "#app/dns/resolve/reader.ts";
import { evidenceOf } from "#app/dns/verdict/evidence.ts";
import type { Evidence } from "#app/dns/verdict/observation.ts";
import type { Log, OtherVantages } from "#app/services/context.server.ts";
import type { Located, Regions } from "./regions.server.ts";
import { MAX_ANSWER, VANTAGE_PATH, VantageAnswer } from "./vantage-messages.ts";
import { isAnswerSealed, SEAL_HEADER, sealQuestion } from "./vantage-seal.server.ts";

type Options = {
  regions: Pick<Regions, "own" | "elsewhere">;
  /** Where every node of the cluster serves. */
  port: number;
  secret: string;
  log: Log;
};

/** A node that has not accepted a question after this long is skipped; the answer may take a read longer. */
const ACCEPT_MS = 2_000;

/**
 * The nodes of other regions, as vantages. The order for a domain is always the same and only known with the secret: who
 * deceives one of them cannot try again until that one is asked.
 */
export const otherVantages = (options: Options): OtherVantages => ({
  region: options.regions.own,
  for: (domain) =>
    options.regions
      .elsewhere()
      .map((located) => ({ located, rank: rankOf(options.secret, located, domain) }))
      .sort((a, b) => a.rank.localeCompare(b.rank))
      .map(({ located }) => ({
        region: located.region,
        read: (question, signal) =>
          ask(options, located, question, signal).catch((error) => {
            const { node, region } = located;
            if (!signal.aborted)
              options.log.warn({ err: error, node, region }, "another node did not read DNS");
            return null;
          }),
      })),
});

const rankOf = (secret: string, { node }: Located, domain: string) =>
  createHmac("sha256", secret).update(`vantage\norder\n${node}\n${domain}`).digest("hex");

/** Rejects unless the node answers this question, under the secret, from the region in which it is known to be. */
async function ask(
  { port, secret }: Options,
  { node, region }: Located,
  { domain, label, token }: ChallengeQuestion,
  signal: AbortSignal,
): Promise<Evidence> {
  const nonce = randomBytes(16).toString("base64url");
  const question = JSON.stringify({ nonce, domain, label, token });
  const text = await post(
    { host: node, port, headers: { [SEAL_HEADER]: sealQuestion(secret, question, Date.now()) } },
    question,
    signal,
  );
  const end = text.indexOf("\n");
  const body = text.slice(end + 1);
  if (!isAnswerSealed(secret, question, body, text.slice(0, end)))
    throw new Error(
      "the answer is not sealed by a node of this cluster, or answers another question",
    );
  const { region: from, evidence } = VantageAnswer.parse(JSON.parse(body));
  if (from !== region) throw new Error(`it is in ${from} now`);
  if (evidence.domain !== domain || evidence.label !== label || evidence.token !== token)
    throw new Error("it read another record");
  return evidenceOf({ ...evidence, chain: null });
}

/** The text of an answer of 200; rejects otherwise. */
async function post(
  to: { host: string; port: number; headers: Record<string, string> },
  body: string,
  signal: AbortSignal,
): Promise<string> {
  // Remix's fetch leaves a rejection unhandled, which ends the process, when it aborts a request with a body.
  const asked = request({ ...to, path: VANTAGE_PATH, method: "POST", agent: false, signal });
  // Once its head is there, what goes wrong rejects the read of the answer.
  asked.on("error", () => {});
  const timer = setTimeout(() => asked.destroy(new Error("no answer in time")), ACCEPT_MS);
  try {
    asked.end(body);
    const [response] = (await once(asked, "response")) as [IncomingMessage];
    clearTimeout(timer);
    if (response.statusCode !== 200) throw new Error(`status ${response.statusCode}`);
    return await boundedText(response);
  } finally {
    clearTimeout(timer);
    asked.destroy();
  }
}

/** Rejects a body longer than any answer. */
async function boundedText(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response) {
    size += chunk.length;
    if (size > MAX_ANSWER) throw new Error("the answer is too long");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
