import { ERRORS, type ErrorCode } from "#app/core/errors.server.ts";
import { ENDPOINTS } from "#app/endpoints.server.ts";
import { FEED_TYPES } from "#db/schema.ts";
import type { Post } from "../../support/hooks.ts";
import type { Exchange } from "./recording.ts";
import { Stable } from "./stable.ts";

/** The contents of app/features/docs/examples.json, from the exchanges of a walk. */

const DAY = 86_400_000;
const HEADERS = ["Location", "Retry-After", "Content-Type"];
const codeOf = ({ answer }: Exchange) =>
  (answer.body as { error?: { code: ErrorCode } } | null)?.error?.code ?? null;

/** The members to show of long answers, where another order or another resolver does not change them. */
const PARTS: Record<string, string[]> = {
  getDescription: ["openapi", "info", "servers"],
  getOlderDescription: ["openapi", "info", "servers"],
  getEvidence: ["at", "challengeName", "delegation", "domain", "servers", "token", "validation"],
};

function bodyOf({ operationId, answer: { status, body, text } }: Exchange): unknown {
  const parts = PARTS[operationId ?? ""];
  if (!parts || !body || status !== 200) return body ?? (text || undefined);
  const kept = Object.entries(body).filter(([name]) => parts.includes(name));
  return Object.fromEntries([...kept, ["…", "…"]]);
}

/** In minutes, if at least one. */
const rounded = (value: string) =>
  /^\d+$/.test(value) && Number(value) > 60 ? String(Math.ceil(Number(value) / 60) * 60) : value;

const cut = ({ body, ...request }: Exchange["request"]) => ({
  ...request,
  ...(body !== undefined && { body: typeof body === "string" ? body.slice(0, 40) : body }),
});

function exampleOf(exchange: Exchange, stable: Stable) {
  const { request, answer, at } = exchange;
  const headers = HEADERS.flatMap((name) => {
    const value = answer.headers.get(name);
    return value && !/^application\/json/.test(value) ? [[name, rounded(value)]] : [];
  });
  const body = bodyOf(exchange);
  const example = {
    request: cut(request),
    status: answer.status,
    ...(headers.length > 0 && { headers: Object.fromEntries(headers) }),
    ...(body !== undefined && { body }),
  };
  return stable.of(example, at);
}

type Message = {
  type: string;
  timestamp: string;
  data: {
    claim?: { domain: string };
    domain?: { name: string };
    watch?: { missingSince: string | null };
  };
};
const nameIn = ({ claim, domain }: Message["data"]) => claim?.domain ?? domain?.name;

/** If several domains have a message of a kind, the domain whose message is shown. */
const DOMAINS: Record<string, string> = {
  "watch.published": "acme.com",
  "watch.missing": "missing.test",
  "watch.lapsed": "lapsed.test",
  "watch.moved": "moved.test",
  "watch.gone": "gone.test",
  "watch.registered_again": "registered-again.test",
  "domain.expiring": "expiring.test",
  "domain.renewed": "expiring.test",
};

type Walked = {
  exchanges: Exchange[];
  posts: Post[];
  events: { type: string }[];
  origins: Map<string, string>;
  testedFrom: number;
};

export function examplesOf({ exchanges, posts, events, origins, testedFrom }: Walked) {
  const stable = new Stable(
    exchanges.map(({ at }) => at),
    origins,
  );
  const chosen = new Map<string, ReturnType<typeof exampleOf>>();
  const choose = (name: string, exchange: Exchange) => {
    if (!chosen.has(name)) chosen.set(name, exampleOf(exchange, stable));
  };
  for (const exchange of exchanges) {
    const { operationId, answer } = exchange;
    const code = codeOf(exchange);
    if (code) choose(code, exchange);
    if (operationId && code) choose(`${operationId} ${code}`, exchange);
    if (operationId && answer.status < 300) choose(operationId, exchange);
    if (operationId && answer.status === 302) choose(operationId, exchange);
  }
  const operations = ENDPOINTS.map(({ operationId, errors }) => {
    const own = errors.flatMap((code) => {
      const example = chosen.get(`${operationId} ${code}`);
      return example ? [[code, example.body]] : [];
    });
    return [operationId, { ...chosen.get(operationId), errors: Object.fromEntries(own) }];
  });
  const errors = (Object.keys(ERRORS) as ErrorCode[]).map((code) => [code, chosen.get(code)]);
  const sent = posts.map(({ body }) => JSON.parse(body) as Message);
  sent.sort((a, b) => a.timestamp.localeCompare(b.timestamp) || a.type.localeCompare(b.type));
  const isWanted = ({ data, type }: Message) =>
    !/^watch|^domain.(?:expiring|renewed)/.test(type) || nameIn(data) === DOMAINS[type];
  const messages = sent.filter(isWanted).map((message) => {
    const isTest = nameIn(message.data)?.endsWith(".test");
    const { missingSince } = message.data.watch ?? { missingSince: message.timestamp };
    const phase = missingSince === null ? null : (Date.parse(missingSince) - testedFrom) % DAY;
    const moved = { from: testedFrom, to: Date.parse(message.timestamp), phase };
    const at = exchanges.at(-1)?.at ?? 0;
    return [message.type, () => stable.of(message, at, isTest ? moved : null)] as const;
  });
  const first = new Map([...messages].reverse());
  return {
    operations: Object.fromEntries(operations),
    errors: Object.fromEntries(errors),
    events: Object.fromEntries(
      FEED_TYPES.map((type) => {
        const event = events.find((one) => one.type === type);
        return [type, stable.of(event, exchanges.at(-1)?.at ?? 0)];
      }),
    ),
    messages: Object.fromEntries(
      [...first.keys()].sort().map((type) => [type, (first.get(type) as () => Message)()]),
    ),
  };
}
