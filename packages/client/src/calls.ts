import type { paths } from "./api.ts";

export type Method = "get" | "post" | "put" | "patch" | "delete";

export type CallOptions = {
  path?: object;
  query?: object;
  body?: unknown;
  signal?: AbortSignal | undefined;
};

type Json<T> = T extends { content: { "application/json": infer Body } } ? Body : undefined;

/** The paths that answer a method with JSON or nothing. The client has other functions for streams. */
export type PathOf<M extends Method> = {
  [P in keyof paths]: paths[P][M] extends { responses: infer R }
    ? R extends { 200: { content: { "text/event-stream": string } } }
      ? never
      : P
    : never;
}[keyof paths];

type Operation<M extends Method, P extends PathOf<M>> = NonNullable<paths[P][M]>;

type ParametersOf<O, Place extends string> = O extends { parameters: { [K in Place]?: infer T } }
  ? NonNullable<T>
  : never;
type BodyOf<O> = O extends { requestBody?: infer T }
  ? Exclude<Json<NonNullable<T>>, undefined>
  : never;

/** A field of type T. It is absent if there is nothing to send, and optional if all of T is optional. */
type Member<Name extends string, T> = [T] extends [never]
  ? { [K in Name]?: never }
  : object extends T
    ? { [K in Name]?: T }
    : { [K in Name]: T };

type Options<O> = Member<"path", ParametersOf<O, "path">> &
  Member<"query", ParametersOf<O, "query">> &
  Member<"body", BodyOf<O>> & { signal?: AbortSignal | undefined };

export type OptionsOf<M extends Method, P extends PathOf<M>> =
  object extends Options<Operation<M, P>>
    ? [options?: Options<Operation<M, P>>]
    : [options: Options<Operation<M, P>>];

export type ResultOf<M extends Method, P extends PathOf<M>> =
  Operation<M, P> extends { responses: infer R } ? { [S in keyof R]: Json<R[S]> }[keyof R] : never;
