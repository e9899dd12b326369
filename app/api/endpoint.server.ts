import * as z from "zod";
import { DeedError, type ErrorCode } from "#app/core/errors.server.ts";
import type { Scope } from "#app/core/resources.ts";
import type { App } from "#app/http/app.server.ts";
import type { Caller } from "#app/http/caller/api-key.server.ts";
import type { Session } from "#app/http/caller/session.server.ts";
import type { Connection } from "#app/http/connection.server.ts";
import type { Budget } from "#app/http/limits.server.ts";
import { Id } from "./inputs.ts";

const NOUNS = { path: "path parameter", query: "query parameter", body: "field" };
type FieldLocation = keyof typeof NOUNS;

const invalidRequest = (message: string, param = "") =>
  new DeedError("invalid_request", { message, ...(/^[\w.-]{1,64}$/.test(param) && { param }) });

const quote = (name: string) => JSON.stringify(name.slice(0, 64));

function validationError(location: FieldLocation, issue: z.core.$ZodIssue): DeedError {
  const noun = NOUNS[location];
  const fieldPath = (...more: string[]) => [...issue.path.map(String), ...more].join(".");
  if (issue.code === "unrecognized_keys") {
    const [key = ""] = issue.keys;
    return invalidRequest(`There is no ${noun} ${quote(key)} here.`, fieldPath(key));
  }
  const name = fieldPath();
  if (name === "") return invalidRequest("The body must be a JSON object.");
  return invalidRequest(`The ${noun} ${quote(name)} is not valid: ${issue.message}.`, name);
}

function typesOf(schema: z.ZodObject): Map<string, unknown> {
  const { properties = {} } = z.toJSONSchema(schema, { io: "input" });
  return new Map(Object.entries(properties).map(([name, schema]) => [name, Object(schema).type]));
}

function coerce(value: unknown, type: unknown): unknown {
  if (type === "integer" && typeof value === "string" && /^-?\d{1,15}$/.test(value))
    return Number(value);
  if (type === "boolean" && (value === "true" || value === "false")) return value === "true";
  return value;
}

/** Returns the value of each parameter, and refuses repeated ones, except those that the schema ignores. */
function singleValues(query: URLSearchParams, { def, shape }: z.ZodObject): Record<string, string> {
  const isIgnored = (name: string) => def.catchall === undefined && !Object.hasOwn(shape, name);
  const values = new Map<string, string>();
  for (const [name, value] of query) {
    if (isIgnored(name)) continue;
    if (values.has(name))
      throw invalidRequest(`The query parameter ${quote(name)} is given twice.`, name);
    values.set(name, value);
  }
  return Object.fromEntries(values);
}

const NO_FIELDS = z.strictObject({});

/** Returns a function that validates fields. Throws invalid_request, which names the first bad field. */
export function fieldReader(location: FieldLocation, fields: z.ZodObject = NO_FIELDS) {
  // The types are computed on first use: all of them would add milliseconds to the start.
  let types: Map<string, unknown> | null = null;
  const coerceQuery = (query: object) => {
    types ??= typesOf(fields);
    const coerceField = ([name, text]: [string, unknown]) => [name, coerce(text, types?.get(name))];
    return Object.fromEntries(Object.entries(query).map(coerceField));
  };
  return (input: unknown = {}): object => {
    const values = input instanceof URLSearchParams ? singleValues(input, fields) : input;
    const result = fields.safeParse(location === "query" ? coerceQuery(values ?? {}) : values);
    if (result.success) return result.data;
    const issue = result.error.issues[0];
    throw issue ? validationError(location, issue) : invalidRequest("The request is not valid.");
  };
}

/** With `true`, a call without a session gets 401; an "optional" session may be missing; with `false` none is read. */
export type SessionRule = true | false | "optional";
/** A key with this scope may call; with "never", no key may; with "ignored", the call does not read keys. */
export type KeyRule = Scope | "never" | "ignored";
export const isScope = (rule: KeyRule): rule is Scope => rule !== "never" && rule !== "ignored";
type IfSession<S extends SessionRule, T> = S extends true ? T : S extends false ? null : T | null;
/** With a scope, the caller may be a program, which is not one of the account's people. */
type Identity<S extends SessionRule, K extends KeyRule> = K extends Scope
  ? { caller: IfSession<S, Caller> }
  : { session: IfSession<S, Session> };

/** `message` is the event without a name. `frame` is the schema of any event, if there are several kinds. */
export type EventStream = { stream: Record<string, z.ZodType>; frame?: z.ZodType };
export type Redirect = { redirect: true };
export type ResponseContent = z.ZodType | null | EventStream | Redirect;
export type Responses = Record<number, ResponseContent>;
export type BodyOf<C> = C extends z.ZodType
  ? z.output<C>
  : C extends EventStream
    ? ReadableStream<Uint8Array> | string
    : C extends Redirect
      ? string
      : null;

export type Reply<R extends Responses> = {
  [S in keyof R & number]: { status: S; body: BodyOf<R[S]> };
}[keyof R & number];

/** The body, which is what a handler returns if there is only one kind of answer. */
type SingleAnswer<R extends Responses> = R extends { 204: null }
  ? Promise<void>
  : { [S in keyof R]: keyof R extends S ? BodyOf<R[S]> : never }[keyof R];

export type Input = {
  params?: Record<string, string | undefined>;
  query?: URLSearchParams | Record<string, unknown>;
  body?: unknown;
};

export type Call = {
  app: App;
  session: Session | null;
  caller: Caller | null;
  request: Request;
  connection: Connection;
  path: string;
  /** The requested URL including its query, on BASE_URL's origin. */
  url: URL;
  headers: Headers;
};

type Fields = z.ZodObject;
type FieldsOf<F extends Fields | undefined> = F extends Fields ? z.output<F> : Record<never, never>;

/** A method, and a path under /api with `:name` for a parameter and no trailing slash. */
export type Route = `${"GET" | "POST" | "PATCH" | "PUT" | "DELETE"} /api/${string}`;
type ParameterNames<T> = T extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParameterNames<Rest>
  : T extends `${string}:${infer Name}`
    ? Name
    : never;

export type Endpoint = {
  method: string;
  path: string;
  group: string;
  summary: string;
  description: string;
  caching?: string;
  session: SessionRule;
  byKey: KeyRule;
  params: Fields;
  query?: Fields;
  body?: Fields;
  response: Responses;
  hasCsv?: true;
  /** Error codes specific to this endpoint, in addition to those every endpoint of its kind may return. */
  errors: readonly ErrorCode[];
  budget: Budget | null;
  /** Whether a call spends the budget for additions, except when it answers 200 although it can answer 201. */
  isAddition: boolean;
  /** Whether what the call asks for is there, so that it is no addition. */
  isThere?(app: App, accountId: string, input: Input): boolean;
  requestHeaders: Record<string, string>;
  /** The endpoints that read what this one makes, by operationId; the value is the field of the answer with the id. */
  links?: Record<string, string>;
  invoke(call: Call, input: Input): Promise<{ status: number; body: unknown }>;
};

/** `operationId` is the call's name in generated clients. */
export type NamedEndpoint = Endpoint & { operationId: string };

type OptionalField = "description" | "errors" | "budget" | "isAddition" | "requestHeaders";

type Specification<
  T extends Route,
  S extends SessionRule,
  K extends KeyRule,
  P extends Fields | undefined,
  Q extends Fields | undefined,
  B extends Fields | undefined,
  R extends Responses,
> = Pick<Endpoint, "group" | "summary" | "caching" | "hasCsv" | "isThere" | "links"> &
  Partial<Pick<Endpoint, OptionalField>> & {
    session: S;
    byKey?: K;
    /** The parameters of the path; by default, each is an id. */
    params?: P;
    query?: Q;
    body?: B;
    response: R;
    handler(
      call: Omit<Call, "session" | "caller"> &
        Identity<S, K> & {
          params: P extends Fields ? z.output<P> : Record<ParameterNames<T>, string>;
          query: FieldsOf<Q>;
          body: FieldsOf<B>;
        },
    ): Reply<R> | SingleAnswer<R> | Promise<Reply<R> | SingleAnswer<R>>;
  };

export type TypedEndpoint<R extends Responses> = Omit<Endpoint, "invoke"> & {
  invoke(call: Call, input: Input): Promise<Reply<R>>;
};

export function defineEndpoint<
  const T extends Route,
  const S extends SessionRule,
  R extends Responses,
  const K extends KeyRule = "never",
  P extends Fields | undefined = undefined,
  Q extends Fields | undefined = undefined,
  B extends Fields | undefined = undefined,
>(route: T, spec: Specification<T, S, K, P, Q, B, R>): TypedEndpoint<R> {
  const [method = "", path = ""] = route.split(" ");
  const idParameters = Array.from(path.matchAll(/:(\w+)/g), ([, name]) => [name, Id]);
  const fields = spec.params ?? z.strictObject(Object.fromEntries(idParameters));
  const params = fieldReader("path", fields);
  const query = fieldReader("query", spec.query);
  const body = fieldReader("body", spec.body);
  return {
    ...spec,
    ...{ method, path, params: fields },
    description: spec.description ?? "",
    byKey: spec.byKey ?? (spec.session === false && method === "GET" ? "ignored" : "never"),
    errors: spec.errors ?? [],
    budget: spec.budget === undefined ? (spec.session === true ? "api" : null) : spec.budget,
    isAddition:
      spec.isAddition ?? (method === "PATCH" || 201 in spec.response || 202 in spec.response),
    requestHeaders: spec.requestHeaders ?? {},
    async invoke(call, input) {
      const answer = await spec.handler({
        ...call,
        // Dispatch has checked the caller, and the readers validate the fields.
        ...({ session: call.session, caller: call.caller } as unknown as Identity<S, K>),
        params: params(input.params) as never,
        query: query(input.query) as FieldsOf<Q>,
        body: body(input.body) as FieldsOf<B>,
      });
      if (answer instanceof Answer) return answer;
      return new Answer(Number(Object.keys(spec.response)[0]), answer ?? null) as Reply<R>;
    },
  };
}

class Answer<S, B> {
  constructor(
    readonly status: S,
    readonly body: B,
  ) {}
}

export const reply = <const S extends number, B>(status: S, body: B) => new Answer(status, body);
