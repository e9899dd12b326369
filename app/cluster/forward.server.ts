import { type IncomingMessage, type ServerResponse, request as send } from "node:http";
import { readUpTo } from "#app/core/read-up-to.ts";
import { FORWARD_HEADER, type ForwardHeader, sign } from "./forward-header.server.ts";

export type Original = {
  method: string;
  url: string;
  /** The headers as Node lists them: a name, its value, the next name, and so on. */
  headers: string[];
};

/** An "unsent" request had no effect. A "lost" one was sent but not answered, so it may have had an effect. */
export type ForwardOutcome = "answered" | "unsent" | "lost";

const CONNECT_TIMEOUT_MS = 2_000;
/** Long enough for a forced DNS read, the slowest response. */
const ANSWER_TIMEOUT_MS = 20_000;
/** These headers apply to a single connection (RFC 9110 section 7.6.1). */
const HOP_BY_HOP = new Set([
  ...["connection", "keep-alive", "te", "trailer", "transfer-encoding", "upgrade", "expect"],
  ...["proxy-authenticate", "proxy-authorization", "proxy-connection"],
]);

/** A node that refuses requests forwarded under this secret sets this header. */
export const REFUSAL_HEADER = "x-deed-passage-refused";

function forwardable(headers: string[], drop = (_: string): boolean => false): [string, string][] {
  const pairs = headers.flatMap((name, i): [string, string][] =>
    i % 2 === 0 ? [[name, headers[i + 1] ?? ""]] : [],
  );
  return pairs.filter(([name]) => !HOP_BY_HOP.has(name.toLowerCase()) && !drop(name.toLowerCase()));
}

/** Reads at most one byte over `limit`, enough for the primary to refuse it. Rejects if the client leaves early. */
export const boundedBody = (request: IncomingMessage, limit: number): Promise<Buffer> =>
  // The request is not destroyed, because then its socket could not carry an answer.
  readUpTo(limit + 1, request.iterator({ destroyOnReturn: false }));

/** Every request has its own connection: if that could not be opened, nothing was sent. */
export function forward(
  target: string,
  secret: string,
  original: Original,
  forwardHeader: ForwardHeader,
  body: Buffer | null,
  response: ServerResponse,
): Promise<ForwardOutcome> {
  return new Promise((resolve) => {
    const { hostname, port } = new URL(`http://${target}`);
    const { method, url } = original;
    const isDropped = (name: string) => name === "content-length" || name.startsWith("x-deed-");
    const headers = forwardable(original.headers, isDropped).flat();
    headers.push(FORWARD_HEADER, sign(secret, original, forwardHeader, Date.now()));
    headers.push("Connection", "close");
    if (body) headers.push("Content-Length", String(body.length));

    let isSent = false;
    const request = send({ hostname, port, method, path: url, headers, agent: false });
    const giveUpAfter = (ms: number) =>
      setTimeout(() => request.destroy(new Error(`no answer in ${ms} ms`)), ms);
    let timer = giveUpAfter(CONNECT_TIMEOUT_MS);
    const settle = (outcome: ForwardOutcome) => {
      clearTimeout(timer);
      resolve(outcome);
    };
    request.once("socket", (socket) =>
      socket.once("connect", () => {
        isSent = true;
        clearTimeout(timer);
        timer = giveUpAfter(ANSWER_TIMEOUT_MS);
      }),
    );
    request.once("error", () => settle(isSent ? "lost" : "unsent"));
    request.once("response", (answer) => {
      if (answer.headers[REFUSAL_HEADER] !== undefined) {
        answer.resume();
        return settle("unsent");
      }
      relay(answer, response);
      settle("answered");
    });
    // When the client is gone, a read is aborted, but a write in progress is finished.
    response.once("close", () => {
      if (body === null) request.destroy();
    });
    request.end(body ?? undefined);
  });
}

function relay(answer: IncomingMessage, response: ServerResponse): void {
  for (const name of response.getHeaderNames()) response.removeHeader(name);
  response.statusCode = answer.statusCode ?? 502;
  response.statusMessage = answer.statusMessage ?? "";
  for (const [name, value] of forwardable(answer.rawHeaders)) response.appendHeader(name, value);
  response.flushHeaders();
  answer.once("error", () => response.destroy());
  answer.pipe(response);
}
