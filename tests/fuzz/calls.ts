import fc from "fast-check";
import type { Description, Operation, Parameter } from "./description.ts";
import { type Draft, type Mutation, mutation, written } from "./mutations.ts";
import type { Population } from "./population.ts";
import { type Asker, among, anyValue, oddText } from "./values.ts";
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

const bearer = (key: string) => `Bearer ${key}`;

/** Escapes text for a URL. A lone surrogate, which UTF-8 cannot encode, becomes U+FFFD. */
const escapeText = (text: string): string => encodeURIComponent(Buffer.from(text).toString());

function cookies(operation: Operation, { own, population }: Asker): fc.Arbitrary<string> {
  const mine = ENDS_SESSIONS.has(operation.name)
    ? population.expendable.cookies
    : operation.name === TAKES_CODES
      ? population.mailed.cookies
      : [own.cookie];
  const broken = [
    "session=",
    `session=${"A".repeat(43)}`,
    'session="%00"; session=x',
    "=;;session",
  ];
  return among(
    [20, fc.constantFrom(...mine)],
    [operation.needsSession ? 2 : 20, fc.constant("")],
    [1, fc.constantFrom(...broken, `${own.cookie}x`)],
  );
}

/** What may stand in Authorization: keys in force and no longer, and what is none. */
function credentials({ own, other }: Asker): fc.Arbitrary<string> {
  const { everything, narrow, ended } = own.keys;
  const changed = everything.slice(0, -1) + (everything.endsWith("0") ? "1" : "0");
  return among(
    [10, fc.constant(bearer(everything))],
    [3, fc.constantFrom(...narrow).map((key) => `bearer  ${key}`)],
    [2, fc.constantFrom(...ended, ...other.keys.ended).map(bearer)],
    [1, fc.constantFrom(changed, `${everything}, ${everything}`).map(bearer)],
    [1, oddText.map((text) => bearer(text.replace(/[^\x20-\x7e]/g, "?")))],
    [1, fc.constantFrom(`Basic ${everything}`, everything, "Bearer", "=", "Bearer\t")],
  );
}

/** Who calls: mostly a browser, sometimes a program, and now and then one with the other's cookie. */
const identities = (operation: Operation, asker: Asker) =>
  among<Pick<Draft, "cookie" | "authorization">>(
    [3, fc.record({ cookie: cookies(operation, asker), authorization: fc.constant("") })],
    [
      1,
      fc.record({
        cookie: fc.constantFrom("", "", asker.other.cookie),
        authorization: credentials(asker),
      }),
    ],
  );

/** A call as described: every parameter and field has its type; optional ones may be missing. */
function plain(operation: Operation, asker: Asker): fc.Arbitrary<Draft> {
  const { path, parameters, body } = operation;
  const texts = (
    place: Parameter["in"],
    constraints = {},
  ): fc.Arbitrary<Record<string, string>> => {
    const here = parameters.filter((parameter) => parameter.in === place);
    const anyOf = ({ name, schema }: Parameter) =>
      place === "header" ? oddText : anyValue(schema, name, path, asker).map(String);
    const values = Object.fromEntries(here.map((one) => [one.name, anyOf(one)]));
    return fc.record(values, constraints) as fc.Arbitrary<Record<string, string>>;
  };
  const mapped = (all: Record<string, string>, change: (text: string) => string) =>
    Object.entries(all).map(([name, text]) => [name, change(text)]);
  const request = fc.record({
    method: fc.constant(operation.method),
    path: texts("path").map((values) =>
      path.replace(/\{(\w+)\}/g, (_, name: string) => escapeText(values[name] ?? "")),
    ),
    query: texts("query", { requiredKeys: [] }).map((values) =>
      mapped(values, escapeText)
        .map((pair) => pair.join("="))
        .join("&"),
    ),
    headers: texts("header", { requiredKeys: [] }).map((values) =>
      Object.fromEntries(mapped(values, (text) => text.replace(/[^\x20-\x7e]/g, "?"))),
    ),
    json: body ? anyValue(body, "", path, asker) : fc.constant(undefined),
    body: fc.constant(null),
    slash: fc.boolean(),
  });
  return fc
    .tuple(request, identities(operation, asker))
    .map(([draft, identity]) => ({ ...draft, ...identity }));
}

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
  const mutations = among<Mutation[]>(
    [5, fc.constant([])],
    [3, fc.array(mutation, { minLength: 1, maxLength: 1 })],
    [2, fc.array(mutation, { minLength: 2, maxLength: 4 })],
  );
  return fc
    .constantFrom(...askers)
    .chain((asker) => fc.tuple(plain(operation, asker), mutations))
    .map(([draft, changes]) => written(changes.reduce((kept, change) => change(kept), draft)));
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
