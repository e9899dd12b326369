import type { z } from "zod";
import type { Session } from "#app/auth/session.server.ts";
import type { App } from "#app/http/app.server.ts";
import type { Connection } from "#app/http/connection.server.ts";
import type { Budget } from "#app/http/limits.server.ts";
import type { ErrorCode } from "#app/services/errors.server.ts";
import { type FieldReader, fieldReader } from "./fields.server.ts";

export type Method = "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
/** true: answers 401 without a session; "optional": given where there is one; false: never looked at. */
export type SessionRule = true | false | "optional";
type SessionFor<S extends SessionRule> = S extends true
  ? Session
  : S extends false
    ? null
    : Session | null;

/**
 * An event stream: each event's name with its data; `message` is the unnamed event. `frame`: what any of them carries,
 * where they are several.
 */
export type EventStream = { stream: Record<string, z.ZodType>; frame?: z.ZodType };
/** A redirect; the body is its Location. */
export type Redirect = { redirect: true };
/** What a status carries: JSON, nothing (null), a stream or a redirect. */
export type Carried = z.ZodType | null | EventStream | Redirect;
export type Responses = Record<number, Carried>;
export type BodyOf<C> = C extends z.ZodType
  ? z.output<C>
  : C extends EventStream
    ? ReadableStream<Uint8Array> | string
    : C extends Redirect
      ? string
      : null;

/** One of the answers an endpoint declares. */
export type Reply<R extends Responses> = {
  [S in keyof R & number]: { status: S; body: BodyOf<R[S]> };
}[keyof R & number];

/** Unread input: path parameters decoded, the query as it came, the body as its reader hands it. */
export type Input = {
  params?: Record<string, string | undefined>;
  query?: URLSearchParams | Record<string, unknown>;
  body?: unknown;
};

/** What surrounds one call. `headers` go out with the answer: cookies, for one. */
export type Call = {
  app: App;
  session: Session | null;
  request: Request;
  connection: Connection;
  /** The path as it was sent: what a URL would resolve stands in it. */
  path: string;
  /** The URL asked for, query included, on BASE_URL's origin. */
  url: URL;
  headers: Headers;
};

type Fields = z.ZodObject;
type FieldsOf<F extends Fields | undefined> = F extends Fields ? z.output<F> : Record<never, never>;

type Specification<
  S extends SessionRule,
  P extends Fields | undefined,
  Q extends Fields | undefined,
  B extends Fields | undefined,
  R extends Responses,
> = {
  method: Method;
  /** Under /api, with `:name` for a parameter, without a trailing slash. */
  path: `/api/${string}`;
  /** Heading in the reference. */
  group: string;
  summary: string;
  description?: string;
  session: S;
  params?: P;
  query?: Q;
  body?: B;
  response: R;
  /** Codes of its own, beside those any endpoint of its kind may answer. */
  errors: ErrorCode[];
  /** Drawn on before the handler runs; "api" where there is a session and nothing is said. */
  budget?: Budget | null;
  /** Headers a client may send, by name. */
  requestHeaders?: Record<string, string>;
  /** Cache-Control of the answer; no-store where nothing is said. */
  caching?: string;
  handler(
    call: Omit<Call, "session"> & {
      session: SessionFor<S>;
      params: FieldsOf<P>;
      query: FieldsOf<Q>;
      body: FieldsOf<B>;
    },
  ): Reply<R> | Promise<Reply<R>>;
};

/** One entry of the endpoint table, whatever it answers. */
export type Endpoint = {
  method: Method;
  path: `/api/${string}`;
  group: string;
  summary: string;
  description: string;
  session: SessionRule;
  params: Fields | undefined;
  query: Fields | undefined;
  body: Fields | undefined;
  response: Responses;
  errors: ErrorCode[];
  budget: Budget | null;
  requestHeaders: Record<string, string>;
  caching: string | undefined;
  /** Reads the input by the schemas (invalid_request names the field), then runs the handler. */
  invoke(call: Call, input: Input): Promise<{ status: number; body: unknown }>;
};

/** An entry together with the types of its answers. */
export type TypedEndpoint<R extends Responses> = Omit<Endpoint, "invoke"> & {
  invoke(call: Call, input: Input): Promise<Reply<R>>;
};

/** Declares an endpoint: its schemas validate, type and describe it. */
export function defineEndpoint<
  const S extends SessionRule,
  R extends Responses,
  P extends Fields | undefined = undefined,
  Q extends Fields | undefined = undefined,
  B extends Fields | undefined = undefined,
>(spec: Specification<S, P, Q, B, R>): TypedEndpoint<R> {
  const readers: Record<"params" | "query" | "body", FieldReader> = {
    params: fieldReader("path", spec.params),
    query: fieldReader("query", spec.query),
    body: fieldReader("body", spec.body),
  };
  return {
    ...spec,
    description: spec.description ?? "",
    params: spec.params,
    query: spec.query,
    body: spec.body,
    budget: spec.budget === undefined ? (spec.session === true ? "api" : null) : spec.budget,
    requestHeaders: spec.requestHeaders ?? {},
    caching: spec.caching,
    async invoke(call, input) {
      return spec.handler({
        ...call,
        // The table's one promise to its handlers: sessions and fields are what the entry declares.
        session: call.session as SessionFor<S>,
        params: readers.params(input.params) as FieldsOf<P>,
        query: readers.query(input.query) as FieldsOf<Q>,
        body: readers.body(input.body) as FieldsOf<B>,
      });
    },
  };
}

/** An answer of a handler. */
export const reply = <const S extends number, B>(status: S, body: B): { status: S; body: B } => ({
  status,
  body,
});
