import fc from "fast-check";
import { expect, it } from "vitest";
import { z } from "zod";
import { ClaimDetail, Domain } from "#app/services/resources.ts";
import { Client } from "../support/client.ts";
import { openClaim } from "../support/deed.ts";
import { targetService } from "./kit.ts";
import { says } from "./sentences.ts";

const target = targetService();
const REQUESTS = 6_000;
const AT_ONCE = 8;
/** With a session these would end it, or never end. They are called without one. */
const WITHOUT_SESSION = new Set([
  "DELETE /api/account",
  "DELETE /api/account/sessions/{id}",
  "POST /api/auth/sign-out",
  "POST /api/auth/sign-out-everywhere",
  "GET /api/events",
]);

type Json = Record<string, unknown>;
type Operation = {
  name: string;
  method: string;
  path: string;
  parameters: { name: string; in: string }[];
  bodyFields: string[];
  /** Null where the status carries no JSON. */
  answers: Map<number, z.ZodType | null>;
};

const asLocal = (schema: unknown, schemas: unknown): Json =>
  JSON.parse(
    JSON.stringify({ ...(schema as Json), $defs: schemas }).replaceAll(
      "#/components/schemas/",
      "#/$defs/",
    ),
  );

/** The operations of the description that the service itself sends. */
async function described(): Promise<Operation[]> {
  const document = (await target().stranger().get("/api/openapi.json")).body as {
    paths: Record<string, Record<string, Json>>;
    components: { schemas: Json };
  };
  const { schemas } = document.components;
  const contentOf = (holder: unknown) =>
    (holder as { content?: Record<string, { schema: Json }> } | undefined)?.content?.[
      "application/json"
    ]?.schema;
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      method: method.toUpperCase(),
      path,
      parameters: operation.parameters as Operation["parameters"],
      bodyFields: Object.keys((contentOf(operation.requestBody)?.properties as Json) ?? {}),
      answers: new Map(
        Object.entries(operation.responses as Record<string, unknown>).map(([status, answer]) => {
          const schema = contentOf(answer);
          return [Number(status), schema ? z.fromJSONSchema(asLocal(schema, schemas)) : null];
        }),
      ),
    })),
  );
}

const nasty = fc.oneof(
  fc.constantFrom(
    "",
    " ",
    "null",
    "true",
    "0",
    "-1",
    "../..",
    "%00",
    "a".repeat(300),
    "\u202e",
    "é",
  ),
  fc.constantFrom(
    "acme.com",
    "https://acme.com/x",
    "xn--bcher-kva.example",
    "com",
    "1.2.3.4",
    "a..b",
  ),
  fc.string({ maxLength: 40 }),
  fc.string({ unit: "binary", maxLength: 20 }),
);

/** One call of an operation, as right or wrong as chance has it; `ids` are the account's own. */
function callOf(operation: Operation, ids: string[]) {
  const value = fc.oneof({ arbitrary: fc.constantFrom(...ids), weight: 2 }, nasty);
  const segment = value.map((text) => encodeURIComponent(text) || "x");
  const named = (place: string) =>
    operation.parameters.filter((one) => one.in === place).map(({ name }) => name);
  const query = fc.dictionary(fc.constantFrom("surprise", ...named("query")), value, {
    maxKeys: 2,
  });
  const fields = fc.dictionary(
    fc.constantFrom("surprise", ...operation.bodyFields),
    fc.oneof({ arbitrary: value, weight: 5 }, { arbitrary: fc.jsonValue(), weight: 1 }),
    { maxKeys: 3 },
  );
  const exact = fc.record(
    Object.fromEntries(operation.bodyFields.map((name) => [name, value])),
  ) as fc.Arbitrary<Json>;
  const body = fc.oneof(
    { arbitrary: exact.map((json) => JSON.stringify(json)), weight: 4 },
    { arbitrary: fields.map((json) => JSON.stringify(json)), weight: 3 },
    { arbitrary: fc.json(), weight: 1 },
    { arbitrary: fc.string({ maxLength: 30 }), weight: 1 },
    { arbitrary: fc.constant("x".repeat(20_000)), weight: 1 },
  );
  return fc.record({
    operation: fc.constant(operation),
    segments: fc.array(segment, { minLength: 2, maxLength: 2 }),
    query,
    body: operation.method === "GET" ? fc.constant(undefined) : fc.option(body, { nil: undefined }),
    type: fc.constantFrom(...Array<string>(6).fill("application/json"), "text/plain", ""),
    origin: fc.constantFrom(...Array<null>(10).fill(null), "null", "https://evil.example"),
    slash: fc.boolean(),
    session: WITHOUT_SESSION.has(operation.name) ? fc.constant(false) : fc.boolean(),
  });
}

type Call = ReturnType<typeof callOf> extends fc.Arbitrary<infer C> ? C : never;

async function send(call: Call, client: Client) {
  const { operation, query, body, type, origin } = call;
  let taken = 0;
  const path = operation.path.replace(/\{\w+\}/g, () => call.segments[taken++ % 2] ?? "x");
  const search = new URLSearchParams(query);
  const target = `${path}${call.slash ? "/" : ""}${search.size > 0 ? `?${search}` : ""}`;
  const answer = await client.request(operation.method, target, {
    ...(body === undefined ? {} : { body: body }),
    headers: {
      ...(body !== undefined && type ? { "content-type": type } : {}),
      ...(origin ? { origin } : {}),
    },
  });
  return { asked: `${operation.method} ${target} ${body?.slice(0, 200) ?? ""}`, answer };
}

it(says("decisions#fuzz.1"), async () => {
  const client = await target().signIn();
  const claim = await openClaim(client, "acme.com");
  await target().prove(client, "hooli.com");
  const { id } = Domain.parse((await client.post("/api/domains", { domain: "a.example" })).body);
  const detail = ClaimDetail.parse((await client.get(`/api/claims/${claim.id}`)).body);
  const ids = [id, claim.domainId, claim.id, claim.verificationId, detail.token];

  const operations = await described();
  expect(operations.length).toBeGreaterThan(30);
  const calls = operations.flatMap((operation, index) =>
    fc.sample(callOf(operation, ids), {
      numRuns: Math.ceil(REQUESTS / operations.length),
      seed: 20_260_312 + index,
    }),
  );
  const outside: string[] = [];
  const statuses = new Map<number, number>();
  const stranger = new Client(target().url);
  const next = calls[Symbol.iterator]();
  const worker = async () => {
    for (const call of { [Symbol.iterator]: () => next }) {
      // A cookie set by a call would change who asks: each has a client of its own.
      const asker = new Client(target().url);
      asker.cookie = call.session ? client.cookie : stranger.cookie;
      const { asked, answer } = await send(call, asker);
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      const schema = call.operation.answers.get(answer.status);
      // A path whose segment is gone (".." of a name) is another path: not found, or another method's.
      const elsewhere = [404, 405].includes(answer.status) && answer.body !== null;
      if (answer.status >= 500 && answer.status !== 502) outside.push(`${answer.status} ${asked}`);
      else if (schema === undefined && !elsewhere) outside.push(`${answer.status} ${asked}`);
      else if (schema && !schema.safeParse(answer.body).success)
        outside.push(`${answer.status} ${asked} -> ${answer.text.slice(0, 300)}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  const total = [...statuses.values()].reduce((sum, n) => sum + n, 0);
  console.info(
    `${total} requests, outside their schema ${outside.length}, by status:`,
    Object.fromEntries([...statuses].sort(([a], [b]) => a - b)),
  );
  expect(outside.slice(0, 10)).toEqual([]);
  expect(total).toBeGreaterThanOrEqual(5_000);
  expect((await client.get("/api/domains")).status).toBe(200);
}, 180_000);
