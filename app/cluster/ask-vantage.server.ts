import { createHmac, randomBytes } from "node:crypto";
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
  const host = node.includes(":") ? `[${node}]` : node;
  const silent = new AbortController();
  const timer = setTimeout(() => silent.abort(new Error("no answer in time")), ACCEPT_MS);
  const response = await fetch(`http://${host}:${port}${VANTAGE_PATH}`, {
    method: "POST",
    body: question,
    headers: { [SEAL_HEADER]: sealQuestion(secret, question, Date.now()) },
    redirect: "error",
    signal: AbortSignal.any([signal, silent.signal]),
  }).finally(() => clearTimeout(timer));
  const text = await boundedText(response);
  if (response.status !== 200) throw new Error(`status ${response.status}`);
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

/** Rejects a body longer than any answer. */
async function boundedText({ body }: Response): Promise<string> {
  const reader = body?.getReader();
  const chunks: Uint8Array[] = [];
  for (let size = 0; ; ) {
    const { done, value } = (await reader?.read()) ?? { done: true };
    if (done || !value) return Buffer.concat(chunks).toString();
    size += value.length;
    if (size > MAX_ANSWER) {
      await reader?.cancel();
      throw new Error("the answer is too long");
    }
    chunks.push(value);
  }
}
