import type { IncomingMessage, ServerResponse } from "node:http";
import type { Reader } from "#app/dns/resolve/reader.ts";
import { evidenceOf } from "#app/dns/verdict/evidence.ts";
import { MAX_READS } from "#app/services/claims/active-runs.ts";
import type { Log } from "#app/services/context.server.ts";
import { boundedBody } from "./forward.server.ts";
import { refuseForwarded } from "./refuse-forwarded.server.ts";
import { MAX_QUESTION, VantageQuestion } from "./vantage-messages.ts";
import { isQuestionSealed, SEAL_HEADER, sealAnswer } from "./vantage-seal.server.ts";

type Options = { reader: Reader; region: string; secret: string; log: Log };

/**
 * Reads DNS for another node of the cluster, with this node's reader. Writes nothing, and reads for no one without the
 * secret. As many reads at once as a primary makes.
 */
export function answerVantage({ reader, region, secret, log }: Options) {
  let reads = 0;

  async function read(body: string, response: ServerResponse): Promise<void> {
    const { nonce: _, ...question } = VantageQuestion.parse(JSON.parse(body));
    const gone = new AbortController();
    response.once("close", () => gone.abort());
    // The asker goes to another node if it does not see at once that this one is awake.
    response.writeHead(200, { "Content-Type": "text/plain", "Cache-Control": "no-store" });
    response.flushHeaders();
    const observation = await reader.readChallenge(question, gone.signal);
    const evidence = { ...evidenceOf(observation), validation: null };
    const answer = JSON.stringify({ region, evidence });
    response.end(`${sealAnswer(secret, body, answer)}\n${answer}`);
  }

  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    let body: string;
    try {
      body = (await boundedBody(request, MAX_QUESTION)).toString();
    } catch {
      return;
    }
    const seal = request.headers[SEAL_HEADER];
    if (!isQuestionSealed(secret, body, seal, Date.now())) return refuseForwarded(response);
    if (reads >= MAX_READS) return void response.writeHead(503).end();
    reads++;
    try {
      await read(body, response);
    } catch (error) {
      if (!response.destroyed) log.warn({ err: error }, "DNS could not be read for another node");
      response.destroy();
    } finally {
      reads--;
    }
  };
}
