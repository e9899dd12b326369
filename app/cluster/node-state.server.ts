import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { get, type IncomingMessage, type ServerResponse } from "node:http";
import * as z from "zod";
import { boundedBody } from "./forward.server.ts";
import { hasMac, macOf } from "./forward-header.server.ts";

const STATE_PATH = "/api/cluster/state";
const SEAL_HEADER = "x-deed-seal";
const ANSWER_TIMEOUT_MS = 1_000;
const MAX_ANSWER_BYTES = 2_048;

const NodeState = z.object({ role: z.string(), term: z.int().nullable() });

export type NodeState = z.output<typeof NodeState>;

/** Something answers at the node's address, but without that node's seal. */
export class UntrustedAnswer extends Error {}

/** Asks a node for its state. The seal covers no time but a nonce, so that nodes with a wrong clock can answer too. */
export async function askState(address: string, port: number, secret: string): Promise<NodeState> {
  const question = `${STATE_PATH}/${address}/${randomBytes(16).toString("hex")}`;
  const headers = { [SEAL_HEADER]: macOf(secret, "state", "question", question) };
  const signal = AbortSignal.timeout(ANSWER_TIMEOUT_MS);
  const request = get({ host: address, port, path: question, headers, agent: false, signal });
  // Once the response head has come, errors reject the reading of the body instead.
  request.on("error", () => {});
  try {
    const [response] = (await once(request, "response")) as [IncomingMessage];
    const answer = (await boundedBody(response, MAX_ANSWER_BYTES)).toString();
    if (!hasMac(secret, response.headers[SEAL_HEADER], "state", "answer", question, answer))
      throw new UntrustedAnswer();
    return NodeState.parse(JSON.parse(answer));
  } finally {
    request.destroy();
  }
}

export function answerState(
  request: IncomingMessage,
  response: ServerResponse,
  { address, secret }: { address: string; secret: string },
  state: () => NodeState,
): boolean {
  const question = request.url ?? "";
  if (!question.startsWith(`${STATE_PATH}/${address}/`)) return false;
  if (!hasMac(secret, request.headers[SEAL_HEADER], "state", "question", question)) return false;
  const answer = JSON.stringify(state());
  response.setHeader(SEAL_HEADER, macOf(secret, "state", "answer", question, answer));
  response.setHeader("Content-Type", "application/json");
  response.setHeader("Cache-Control", "no-store");
  response.end(answer);
  return true;
}
