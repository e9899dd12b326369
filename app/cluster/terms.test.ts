import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { beforeEach, expect, it } from "vitest";
import { listening } from "#app/core/testing/servers.ts";
import { eachFolder } from "#db/testing.files.ts";
import { macOf } from "./forward-header.server.ts";
import { answerState, type NodeState } from "./node-state.server.ts";
import { Terms } from "./terms.server.ts";

const NODE = "127.0.0.1";
const SECRET = "s".repeat(32);
const STATE: NodeState = { role: "replica", term: null };
/** A question with another nonce. */
const EARLIER = `/api/cluster/state/${NODE}/${"0".repeat(32)}`;
/** A fake node's answer. */
const HUGE = JSON.stringify({ ...STATE, role: "primary", term: 8e15 });
const told: string[] = [];
const log = {
  debug() {},
  info: (_: object, text: string) => told.push(text),
  warn() {},
  error: (_: object, text: string) => told.push(text),
};

let port: number;
const folder = eachFolder();
/** The other node's state; null if it is down. */
let state: Partial<NodeState> | null;
/** Answers in place of the other node, if set. */
let instead: ((request: IncomingMessage, response: ServerResponse) => void) | null;
beforeEach(async () => {
  told.length = 0;
  instead = null;
  const server = createServer((request, response) => {
    const said = state;
    if (instead) instead(request, response);
    else if (said === null) response.destroy();
    else answer(request, response, said);
  });
  const { port: at, stop } = await listening(server);
  port = at;
  return stop;
});

/** Answers like a node; 404 for anybody who may not ask. */
function answer(
  request: IncomingMessage,
  response: ServerResponse,
  said: Partial<NodeState>,
  { address = NODE, secret = SECRET } = {},
): void {
  if (!answerState(request, response, { address, secret }, () => ({ ...STATE, ...said })))
    response.writeHead(404).end("{}");
}

function terms(own: number, others = [NODE]) {
  const file = folder("terms.json");
  return new Terms({ otherNodes: others, port, secret: SECRET, localTerm: () => own, file, log });
}

it("names the node that was promoted after this one", async () => {
  const mine = terms(5);
  expect(mine.successor()).toBeNull();
  state = { role: "replica", term: 6 };
  await mine.ask();
  expect(mine.successor()).toEqual({ node: NODE, term: 6 });
});

it.each([
  { role: "primary", term: 5 },
  { role: "primary", term: 4 },
  { role: "single", term: null },
  { term: "9" },
])("names nobody by the answer %j", async (said) => {
  const mine = terms(5);
  state = said as Partial<NodeState>;
  await mine.ask();
  expect(mine.successor()).toBeNull();
});

const sayHuge = (response: ServerResponse, secret: string, question = "") =>
  response.setHeader("x-deed-seal", macOf(secret, "state", "answer", question, HUGE)).end(HUGE);

it.each<[string, NonNullable<typeof instead>]>([
  ["without a seal", (_, response) => response.end(HUGE)],
  ["under another secret", ({ url }, response) => sayHuge(response, "x".repeat(32), url)],
  ["to an earlier question", (_, response) => sayHuge(response, SECRET, EARLIER)],
  [
    "of another node, to which the question was passed on",
    (request, response) => answer(request, response, JSON.parse(HUGE), { address: "127.0.0.2" }),
  ],
])("believes no answer %s, and says so once", async (_, fake) => {
  const mine = terms(5);
  instead = fake;
  await mine.ask();
  await mine.ask();
  expect(mine.successor()).toBeNull();
  expect(told).toEqual([expect.stringContaining("is not trusted")]);
  instead = null;
  state = { term: 6 };
  await mine.ask();
  expect(mine.successor()).toEqual({ node: NODE, term: 6 });
  expect(told).toHaveLength(2);
});

it("tells a stranger nothing", async () => {
  state = { term: 6 };
  expect((await fetch(`http://${NODE}:${port}${EARLIER}`)).status).toBe(404);
});

it("remembers what a node said while that node is away, over a restart too", async () => {
  const mine = terms(5);
  state = { role: "primary", term: 6 };
  await mine.ask();
  state = null;
  await mine.ask();
  expect(mine.successor()).toEqual({ node: NODE, term: 6 });
  expect(terms(5).successor()).toEqual({ node: NODE, term: 6 });
  expect(terms(6).successor()).toBeNull();
  expect(terms(5, ["127.0.0.2"]).successor()).toBeNull();
  state = { role: "replica", term: 5 };
  await mine.ask();
  expect(terms(5).successor()).toBeNull();
});

it("tells once of a former primary that still takes writes, and of its end", async () => {
  const mine = terms(5);
  state = { role: "primary", term: 4 };
  await mine.ask();
  await mine.ask();
  expect(told).toEqual([expect.stringContaining("still takes writes")]);
  state = { role: "orphan", term: 4 };
  await mine.ask();
  expect(told).toHaveLength(2);
});
