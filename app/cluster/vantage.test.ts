import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { ChallengeQuestion } from "#app/dns/resolve/reader.ts";
import { evidenceOf } from "#app/dns/verdict/evidence.ts";
import type { Observation } from "#app/dns/verdict/observation.ts";
import { absentAt, foundAt } from "#app/services/testing/observations.ts";
import { says } from "../../tests/contract/sentences.ts";
import { answerVantage } from "./answer-vantage.server.ts";
import { otherVantages } from "./ask-vantage.server.ts";
import { Regions } from "./regions.server.ts";
import { SEAL_HEADER, sealAnswer, sealQuestion } from "./vantage-seal.server.ts";

const NODE = "127.0.0.1";
const SECRET = "s".repeat(32);
const AT = Date.UTC(2026, 0, 3, 12);
const QUESTION: ChallengeQuestion = {
  domain: "acme.com",
  label: "_service-challenge",
  token: `service_v1_${"0123456789".repeat(4)}`,
};
const stay = new AbortController().signal;

const told: string[] = [];
const tell = (_: object, text: string) => void told.push(text);
const log = { debug() {}, info: tell, warn: tell, error: tell };

/** What the other node reads. */
let see: (question: ChallengeQuestion, signal: AbortSignal) => Observation | Promise<Observation>;
/** Answers in place of the other node, if set. */
let instead: ((body: string, send: (text: string, status?: number) => void) => void) | null;
let server: Server;
let questions: { body: string; seal: string }[];
let answers: string[];

beforeEach(async () => {
  told.length = 0;
  questions = [];
  answers = [];
  instead = null;
  see = (question) => foundAt(question, AT);
  const reader = {
    readChallenge: async (question: ChallengeQuestion, signal: AbortSignal) =>
      see(question, signal),
  } as Parameters<typeof answerVantage>[0]["reader"];
  const read = answerVantage({ reader, region: "ams", secret: SECRET, log });
  server = createServer((request, response) => {
    let body = "";
    const seal = String(request.headers[SEAL_HEADER]);
    request.on("data", (chunk) => {
      body += chunk;
    });
    request.once("end", () => questions.push({ body, seal }));
    const end = response.end.bind(response) as (text?: string) => typeof response;
    response.end = ((text?: string) => {
      answers.push(String(text));
      return end(text);
    }) as typeof response.end;
    if (!instead) return void read(request, response);
    request.once("end", () =>
      instead?.(body, (text, status = 200) => void response.writeHead(status).end(text)),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, NODE, resolve));
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const port = () => (server.address() as AddressInfo).port;
const located = { node: NODE, region: "ams" };

function ask(secret = SECRET, at = located, signal = stay) {
  const regions = { own: "fra", elsewhere: () => [at] };
  const [vantage] = otherVantages({ regions, port: port(), secret, log }).for("acme.com");
  if (!vantage) throw new Error("nobody to ask");
  return vantage.read(QUESTION, signal);
}

const sealed = (question: string, answer: unknown) => {
  const body = JSON.stringify(answer);
  return `${sealAnswer(SECRET, question, body)}\n${body}`;
};
const evidence = () => ({ ...evidenceOf(foundAt(QUESTION, AT)), validation: null });

it("gives back what the other node sees, whatever it is", async () => {
  const { chain: _, ...found } = foundAt(QUESTION, AT);
  expect(await ask()).toEqual({ ...found, validation: null });
  see = (question) => absentAt(question, AT);
  expect(await ask()).toMatchObject({ confirmation: null, servers: [{}, {}] });
  expect(told).toEqual([]);
});

it("refuses an answer to an earlier question, as it was given", async () => {
  await ask();
  const [old = ""] = answers;
  instead = (_, send) => send(old);
  expect(await ask()).toBeNull();
  expect(questions.map(({ body }) => JSON.parse(body).nonce)).toHaveLength(2);
  expect(told).toEqual(["another node did not read DNS"]);
});

it.each<[string, (question: string) => [text: string, status?: number]]>([
  ["without a seal", () => [JSON.stringify({ region: "ams", evidence: evidence() })]],
  [
    "under another secret",
    (question) => {
      const body = JSON.stringify({ region: "ams", evidence: evidence() });
      return [`${sealAnswer("x".repeat(32), question, body)}\n${body}`];
    },
  ],
  [
    "that was changed",
    (question) => [`${sealed(question, { region: "ams", evidence: evidence() })} `],
  ],
  [
    "from this node's own region",
    (question) => [sealed(question, { region: "fra", evidence: evidence() })],
  ],
  [
    "about another record",
    (question) => {
      const other = evidenceOf(foundAt({ ...QUESTION, domain: "globex.com" }, AT));
      return [sealed(question, { region: "ams", evidence: { ...other, validation: null } })];
    },
  ],
  [
    "with more than evidence has",
    (question) => [sealed(question, { region: "ams", evidence: { ...evidence(), proof: true } })],
  ],
  ["that is not JSON", (question) => [`${sealAnswer(SECRET, question, "{")}\n{`]],
  ["of a node that knows no such question", () => ["{}", 404]],
  ["of a node that has no place", () => ["", 503]],
  ["without end", () => ["x".repeat(1024 * 1024 + 1)]],
])("refuses an answer %s", async (_, answer) => {
  instead = (question, send) => send(...answer(question));
  expect(await ask()).toBeNull();
  expect(told).toEqual(["another node did not read DNS"]);
});

const put = (body: string, seal?: string) =>
  fetch(`http://${NODE}:${port()}/`, {
    method: "POST",
    body,
    headers: seal === undefined ? {} : { [SEAL_HEADER]: seal },
  });

it(`${says("C31.6")}, and if it is old or changed`, async () => {
  see = () => {
    throw new Error("must not read");
  };
  expect(await ask("x".repeat(32))).toBeNull();
  const [{ body } = { body: "" }] = questions;
  const refusals = [
    put(body),
    put(body, "1;aa"),
    put(`${body} `, sealQuestion(SECRET, body, Date.now())),
    put(body, sealQuestion(SECRET, body, Date.now() - 301_000)),
  ];
  for (const { status } of await Promise.all(refusals)) expect(status).toBe(400);
});

it("makes no more reads at once than a primary does", async () => {
  const free: (() => void)[] = [];
  see = (question) => new Promise((resolve) => free.push(() => resolve(foundAt(question, AT))));
  const asked = Array.from({ length: 50 }, () => ask());
  while (free.length < 50) await new Promise((resolve) => setTimeout(resolve, 5));
  expect(await ask()).toBeNull();
  for (const one of free) one();
  expect((await Promise.all(asked)).every(Boolean)).toBe(true);
  see = (question) => foundAt(question, AT);
  expect(await ask()).not.toBeNull();
});

it("stops reading when the asker gives up", async () => {
  let stopped = () => {};
  const isStopped = new Promise<void>((resolve) => {
    stopped = resolve;
  });
  const leave = new AbortController();
  see = (_, signal) => {
    setTimeout(() => leave.abort(), 10);
    return new Promise((_, reject) =>
      signal.addEventListener("abort", () => {
        stopped();
        reject(signal.reason);
      }),
    );
  };
  expect(await ask(SECRET, located, leave.signal)).toBeNull();
  await isStopped;
  expect(told).toEqual([]);
});

it("gives up a node that is not awake, in time to ask another", async () => {
  instead = () => {};
  expect(await ask()).toBeNull();
  expect(told).toEqual(["another node did not read DNS"]);
});

it("asks about a domain in one order, and about others in others", () => {
  const nodes = ["a", "b", "c"].map((node) => ({ node, region: node }));
  const vantages = otherVantages({
    regions: { own: "fra", elsewhere: () => nodes },
    port: 1,
    secret: SECRET,
    log,
  });
  const order = (domain: string) =>
    vantages
      .for(domain)
      .map(({ region }) => region)
      .join("");
  expect(order("acme.com")).toBe(order("acme.com"));
  const orders = Array.from({ length: 60 }, (_, index) => order(`${index}.example`));
  expect(new Set(orders).size).toBe(6);
});

const at = (region: string | null, version = "1.0.0") => ({ region, version });

it("asks no node of another version, of none or of no region", () => {
  const regions = new Regions("fra", "1.0.0", log);
  regions.note("b", at("ams"));
  regions.note("b", at("ams", "1.1.0"));
  regions.note("c", { region: "sin" });
  regions.note("d", at(null));
  regions.lookAround();
  expect([regions.elsewhere(), told]).toEqual([[], []]);
});

it("takes a node for there until it missed twelve questions, and complains once", () => {
  const regions = new Regions("fra", "1.0.0", log);
  regions.note("a", at("fra"));
  regions.note("b", null);
  regions.lookAround();
  expect([regions.elsewhere(), told]).toEqual([[], []]);
  regions.note("b", at("ams"));
  for (let missed = 0; missed < 12; missed++) {
    expect(regions.elsewhere()).toEqual([{ node: "b", region: "ams" }]);
    regions.note("b", null);
    regions.lookAround();
  }
  regions.lookAround();
  expect([regions.elsewhere(), told.length]).toEqual([[], 1]);
  regions.note("b", at("ams"));
  regions.lookAround();
  expect(regions.elsewhere()).toEqual([{ node: "b", region: "ams" }]);
  expect(told).toHaveLength(2);
});
