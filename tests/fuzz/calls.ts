import fc from "fast-check";
import type { Description, Operation } from "./description.ts";
import { type Draft, mutation, written } from "./mutations.ts";
import type { Population } from "./population.ts";
import { type Asker, anyValue, oddText } from "./values.ts";
import type { Sent } from "./wire.ts";

/** With the session of an account in use, these would end it. */
const ENDS_SESSIONS = new Set([
  "DELETE /api/account",
  "DELETE /api/account/sessions/{id}",
  "DELETE /api/people/{id}",
  "POST /api/auth/sign-out",
  "POST /api/auth/sign-out-everywhere",
]);
const TAKES_CODES = "POST /api/auth/magic-link/verify";
/** The share of calls that match the description, except for odd text. */
const AS_DESCRIBED = 5;
const MUTATED_ONCE = 3;
const MUTATED_OFTEN = 2;

const bearer = (key: string) => `Bearer ${key}`;

/** Escapes text for a URL. A lone surrogate, which UTF-8 cannot encode, becomes U+FFFD. */
const escapeText = (text: string): string => encodeURIComponent(Buffer.from(text).toString());

function cookies(operation: Operation, { own, population }: Asker): fc.Arbitrary<string> {
  const mine = ENDS_SESSIONS.has(operation.name)
    ? fc.constantFrom(...population.expendable.cookies)
    : operation.name === TAKES_CODES
      ? fc.constantFrom(...population.mailed.cookies)
      : fc.constant(own.cookie);
  return fc.oneof(
    { arbitrary: mine, weight: 20 },
    { arbitrary: fc.constant(""), weight: operation.needsSession ? 2 : 20 },
    {
      arbitrary: fc.constantFrom(
        "session=",
        `session=${"A".repeat(43)}`,
        'session="%00"; session=x',
        "=;;session",
        `${own.cookie}x`,
      ),
      weight: 1,
    },
  );
}

/** What may stand in Authorization: keys in force and no longer, and what is none. */
function credentials({ own, other }: Asker): fc.Arbitrary<string> {
  const { everything, narrow, ended } = own.keys;
  const changed = everything.slice(0, -1) + (everything.endsWith("0") ? "1" : "0");
  return fc.oneof(
    { arbitrary: fc.constant(`Bearer ${everything}`), weight: 10 },
    { arbitrary: fc.constantFrom(...narrow).map((key) => `bearer  ${key}`), weight: 3 },
    { arbitrary: fc.constantFrom(...ended, ...other.keys.ended).map(bearer), weight: 2 },
    { arbitrary: fc.constantFrom(changed, `${everything}, ${everything}`).map(bearer), weight: 1 },
    { arbitrary: oddText.map((text) => bearer(text.replace(/[^\x20-\x7e]/g, "?"))), weight: 1 },
    {
      arbitrary: fc.constantFrom(`Basic ${everything}`, everything, "Bearer", "=", "Bearer\t"),
      weight: 1,
    },
  );
}

/** Who calls: mostly a browser, sometimes a program, and now and then one with the other's cookie. */
const identities = (operation: Operation, asker: Asker) =>
  fc.oneof(
    {
      arbitrary: fc.record({
        cookie: cookies(operation, asker),
        authorization: fc.constant(""),
      }),
      weight: 3,
    },
    {
      arbitrary: fc.record({
        cookie: fc.constantFrom("", "", asker.other.cookie),
        authorization: credentials(asker),
      }),
      weight: 1,
    },
  );

/** A call as described: every parameter and field has its type; optional ones may be missing. */
function plain(operation: Operation, asker: Asker): fc.Arbitrary<Draft> {
  const { path, parameters, body } = operation;
  const texts = (place: "path" | "query" | "header") =>
    Object.fromEntries(
      parameters
        .filter((parameter) => parameter.in === place)
        .map(({ name, schema }) => [
          name,
          (place === "header" ? oddText : anyValue(schema, name, path, asker)).map(String),
        ]),
    );
  const request = fc.record({
    method: fc.constant(operation.method),
    path: fc
      .record(texts("path"))
      .map((values: Record<string, string | undefined>) =>
        path.replace(/\{(\w+)\}/g, (_, name: string) => escapeText(values[name] ?? "")),
      ),
    query: fc
      .record(texts("query"), { requiredKeys: [] })
      .map((values: Record<string, string | undefined>) =>
        Object.entries(values)
          .map(([name, text]) => `${name}=${escapeText(text ?? "")}`)
          .join("&"),
      ),
    headers: fc
      .record(texts("header"), { requiredKeys: [] })
      .map((values: Record<string, string | undefined>) =>
        Object.fromEntries(
          Object.entries(values).map(([name, text]) => [
            name,
            (text ?? "").replace(/[^\x20-\x7e]/g, "?"),
          ]),
        ),
      ),
    json: body ? anyValue(body, "", path, asker) : fc.constant(undefined),
    body: fc.constant(null),
    slash: fc.boolean(),
  });
  return fc
    .tuple(request, identities(operation, asker))
    .map(([draft, identity]) => ({ ...draft, ...identity }));
}

/** One call of an operation, as described or with a few mutations. */
function callOf(
  operation: Operation,
  population: Population,
  judge: Description["judge"],
): fc.Arbitrary<Sent> {
  const [mara, noor] = population.holders;
  const askers: Asker[] = [
    { own: mara, other: noor, population, judge },
    { own: noor, other: mara, population, judge },
  ];
  return fc.constantFrom(...askers).chain((asker) =>
    fc
      .tuple(
        plain(operation, asker),
        fc.oneof(
          { arbitrary: fc.constant([]), weight: AS_DESCRIBED },
          { arbitrary: fc.array(mutation, { minLength: 1, maxLength: 1 }), weight: MUTATED_ONCE },
          {
            arbitrary: fc.array(mutation, { minLength: 2, maxLength: 4 }),
            weight: MUTATED_OFTEN,
          },
        ),
      )
      .map(([draft, mutations]) => written(mutations.reduce((kept, each) => each(kept), draft))),
  );
}

/** Calls of every operation in random order, deterministic for a seed. */
export function callsOf(
  description: Description,
  population: Population,
  count: number,
  seed: number,
): Sent[] {
  const { operations, judge } = description;
  const any = fc.oneof(...operations.map((operation) => callOf(operation, population, judge)));
  return fc.sample(any, { numRuns: count, seed });
}
