import type { z } from "zod";
import type { ErrorCode } from "#app/core/errors.server.ts";
import type { Scope } from "#app/core/resources.ts";
import type { App } from "#app/http/app.server.ts";
import type { Caller } from "#app/http/caller/api-key.server.ts";
import type { Session } from "#app/http/caller/session.server.ts";
import type { Connection } from "#app/http/connection.server.ts";
import type { Budget } from "#app/http/limits.server.ts";
import { fieldReader } from "./fields.server.ts";

export type Method = "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
/** true: answers 401 without a session; "optional": passed if there is one; false: never read. */
export type SessionRule = true | false | "optional";
/**
 * What an API key may do here: call with that scope; "never": it is refused; "ignored": it is not looked at. Without a
 * key, `session` decides.
 */
export type KeyRule = Scope | "never" | "ignored";
export const isScope = (rule: KeyRule): rule is Scope => rule !== "never" && rule !== "ignored";
type SessionFor<S extends SessionRule> = S extends true
  ? Session
  : S extends false
    ? null
    : Session | null;
/** Who calls: with a scope it may be a program, which is not one of the account's people. */
type Identity<S extends SessionRule, K extends KeyRule> = K extends Scope
  ? { caller: S extends true ? Caller : Caller | null }
  : { session: SessionFor<S> };

/**
 * An event stream: each event's name with its data; `message` is the unnamed event. `frame`: the schema of any event,
 * if there are several kinds.
 */
export type EventStream = { stream: Record<string, z.ZodType>; frame?: z.ZodType };
/** A redirect. The body is its Location. */
export type Redirect = { redirect: true };
/** The content of a response status: JSON, nothing (null), a stream or a redirect. */
export type ResponseContent = z.ZodType | null | EventStream | Redirect;
export type Responses = Record<number, ResponseContent>;
export type BodyOf<C> = C extends z.ZodType
  ? z.output<C>
  : C extends EventStream
    ? ReadableStream<Uint8Array> | string
    : C extends Redirect
      ? string
      : null;

/** One of the responses an endpoint declares. */
export type Reply<R extends Responses> = {
  [S in keyof R & number]: { status: S; body: BodyOf<R[S]> };
}[keyof R & number];

/** Input before validation: decoded path parameters, the raw query, and the body as parsed by its reader. */
export type Input = {
  params?: Record<string, string | undefined>;
  query?: URLSearchParams | Record<string, unknown>;
  body?: unknown;
};

/** The context of one call. `headers` are sent with the response, for example cookies. */
export type Call = {
  app: App;
  session: Session | null;
  /** The session, or the API key of the call. */
  caller: Caller | null;
  request: Request;
  connection: Connection;
  /** The path as sent, before URL normalisation. */
  path: string;
  /** The requested URL including its query, on BASE_URL's origin. */
  url: URL;
  headers: Headers;
};

type Fields = z.ZodObject;
type FieldsOf<F extends Fields | undefined> = F extends Fields ? z.output<F> : Record<never, never>;

/** What an endpoint says of itself, in whatever way it is declared. */
type Described = {
  method: Method;
  /** Under /api, with `:name` for a parameter and no trailing slash. */
  path: `/api/${string}`;
  /** Heading in the API reference. */
  group: string;
  summary: string;
  /** Cache-Control of the response; defaults to no-store. */
  caching?: string;
};

type Specification<
  S extends SessionRule,
  K extends KeyRule,
  P extends Fields | undefined,
  Q extends Fields | undefined,
  B extends Fields | undefined,
  R extends Responses,
> = Described & {
  description?: string;
  session: S;
  /** Defaults to "ignored" for a public read, otherwise to "never". */
  byKey?: K;
  params?: P;
  query?: Q;
  body?: B;
  response: R;
  /** Error codes specific to this endpoint, in addition to those every endpoint of its kind may return. */
  errors?: ErrorCode[];
  /** Drawn on before the handler runs. Defaults to "api" if the endpoint takes a session. */
  budget?: Budget | null;
  /** Request headers a client may send, by name. */
  requestHeaders?: Record<string, string>;
  handler(
    call: Omit<Call, "session" | "caller"> &
      Identity<S, K> & {
        params: FieldsOf<P>;
        query: FieldsOf<Q>;
        body: FieldsOf<B>;
      },
  ): Reply<R> | Promise<Reply<R>>;
};

/** One entry of the endpoint table, whatever its response types. */
export type Endpoint = Described & {
  description: string;
  session: SessionRule;
  byKey: KeyRule;
  params?: Fields;
  query?: Fields;
  body?: Fields;
  response: Responses;
  errors: ErrorCode[];
  budget: Budget | null;
  requestHeaders: Record<string, string>;
  /** Validates the input (invalid_request names the field), then runs the handler. */
  invoke(call: Call, input: Input): Promise<{ status: number; body: unknown }>;
};

/** An endpoint with its response types. */
export type TypedEndpoint<R extends Responses> = Omit<Endpoint, "invoke"> & {
  invoke(call: Call, input: Input): Promise<Reply<R>>;
};

/** Declares an endpoint. The schemas validate its input, type its handler and describe it in the reference. */
export function defineEndpoint<
  const S extends SessionRule,
  R extends Responses,
  const K extends KeyRule = "never",
  P extends Fields | undefined = undefined,
  Q extends Fields | undefined = undefined,
  B extends Fields | undefined = undefined,
>(spec: Specification<S, K, P, Q, B, R>): TypedEndpoint<R> {
  const params = fieldReader("path", spec.params);
  const query = fieldReader("query", spec.query);
  const body = fieldReader("body", spec.body);
  return {
    ...spec,
    description: spec.description ?? "",
    byKey: spec.byKey ?? (spec.session === false && spec.method === "GET" ? "ignored" : "never"),
    errors: spec.errors ?? [],
    budget: spec.budget === undefined ? (spec.session === true ? "api" : null) : spec.budget,
    requestHeaders: spec.requestHeaders ?? {},
    async invoke(call, input) {
      return spec.handler({
        ...call,
        // The only casts: dispatch has checked who calls, and the readers validate the fields.
        ...({ session: call.session, caller: call.caller } as unknown as Identity<S, K>),
        params: params(input.params) as FieldsOf<P>,
        query: query(input.query) as FieldsOf<Q>,
        body: body(input.body) as FieldsOf<B>,
      });
    },
  };
}

/** A handler's response. */
export const reply = <const S extends number, B>(status: S, body: B): { status: S; body: B } => ({
  status,
  body,
});
