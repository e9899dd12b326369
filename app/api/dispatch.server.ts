import { addRoute, createRouter, findRoute } from "rou3";
import { limitsFor } from "#app/core/accounts/accounts.server.ts";
import { DeedError } from "#app/core/errors.server.ts";
import { type App, getApp } from "#app/http/app.server.ts";
import { readJson } from "#app/http/body.server.ts";
import {
  activeCredentials,
  BEARER_CHALLENGE,
  bearerOf,
  credentialOf,
  invalidKey,
  type KeyBearer,
  keyOf,
  scopeChallenge,
  worldOfKey,
} from "#app/http/caller/api-key.server.ts";
import { loggingRefusal, type SignInMethod, sessionOf } from "#app/http/caller/session.server.ts";
import { type Connection, checkOrigin, connectionOf } from "#app/http/connection.server.ts";
import { json, toResponse } from "#app/http/errors.server.ts";
import {
  asAddition,
  type Budget,
  chargeAccount,
  isPerAddress,
  rateLimitFields,
} from "#app/http/limits.server.ts";
import { count } from "#app/http/metrics.server.ts";
import {
  type Call,
  type Endpoint,
  type Input,
  isScope,
  type NamedEndpoint,
  type Reply,
  type Responses,
  type TypedEndpoint,
} from "./endpoint.server.ts";

const SIGN_IN_BUDGETS: Partial<Record<Budget, SignInMethod>> = { mailIp: "mail", verify: "code" };

type EndpointsByMethod = Map<string, Endpoint>;

let allEndpoints: readonly NamedEndpoint[] = [];
let router = createRouter<EndpointsByMethod>();

export function provideEndpoints(endpoints: readonly NamedEndpoint[]): void {
  allEndpoints = endpoints;
  router = createRouter();
  for (const [path, atPath] of Map.groupBy(endpoints, ({ path }) => path))
    addRoute(router, "", path, new Map(atPath.map((endpoint) => [endpoint.method, endpoint])));
}

export const providedEndpoints = () => allEndpoints;

const allowedMethods = (methods: EndpointsByMethod): string[] =>
  [...methods.keys(), ...(methods.has("GET") ? ["HEAD"] : []), "OPTIONS"].sort();

type UnidentifiedCall = Omit<Call, "session" | "caller">;

async function chargeAddress(budget: Budget, { app, connection: { address } }: UnidentifiedCall) {
  const signInMethod = SIGN_IN_BUDGETS[budget];
  // Sending the mail spends this budget, together with the recipient's.
  const spendBudget = async () =>
    app.limiter[budget === "mailIp" ? "check" : "consume"]({ [budget]: address });
  await (signInMethod ? loggingRefusal(app, address, signInMethod, spendBudget) : spendBudget());
}

async function authorize(endpoint: Endpoint, call: UnidentifiedCall): Promise<Call> {
  const { budget } = endpoint;
  if (budget && isPerAddress(budget)) await chargeAddress(budget, call);
  const session = endpoint.session === false ? null : await sessionOf(call.request);
  const challenge = isScope(endpoint.byKey) ? { challenge: BEARER_CHALLENGE } : {};
  if (endpoint.session === true && !session) throw new DeedError("unauthenticated", challenge);
  if (budget && session && !isPerAddress(budget))
    await chargeAccount(call.app, session.accountId, budget);
  return { ...call, session, caller: session };
}

function checkScope({ byKey }: Endpoint, { scopes }: KeyBearer): void {
  const requiredScope = isScope(byKey) ? byKey : null;
  if (requiredScope && scopes.includes(requiredScope)) return;
  throw new DeedError("insufficient_scope", {
    message: requiredScope
      ? `This API key needs the scope ${requiredScope} for this.`
      : "No API key can do this. Sign in instead.",
    challenge: scopeChallenge(requiredScope),
  });
}

/** Checks the key of a call, and writes what is left of its budget into `limits`. */
async function authorizeKey(
  endpoint: Endpoint,
  call: UnidentifiedCall,
  bearer: string,
  limits: Headers,
): Promise<Call> {
  const { limiter } = call.app;
  const key = keyOf(call.app, bearer, call.connection.address);
  const accountLimits = limitsFor(call.app.db, key.accountId);
  try {
    limiter.consume({ key: key.keyId }, accountLimits);
  } finally {
    const left = limiter.left("key", key.keyId, accountLimits);
    for (const [name, value] of rateLimitFields("key", left)) limits.set(name, value);
  }
  checkScope(endpoint, key);
  const app = await worldOfKey(call.app, key.accountId, key.keyId);
  if (app.test && activeCredentials(app, [credentialOf(key)]).size === 0) throw invalidKey();
  return { ...call, app, session: null, caller: { ...key, ...app.test?.person } };
}

const callOf = (app: App, request: Request, connection: Connection): UnidentifiedCall => {
  const { pathname, search: query } = new URL(request.url);
  const { path, search } = connection.api ?? { path: pathname, search: query };
  const url = new URL(`${app.settings.baseUrl}${path}${search}`);
  return { app, request, connection, path, url, headers: new Headers() };
};

/** Calls that add rows share one budget of the account. Calls without keys have another, so no program locks people out. */
async function invoke<R extends Responses>(endpoint: TypedEndpoint<R>, call: Call, input: Input) {
  const { app, caller } = call;
  const isThere = caller && endpoint.isThere?.(app, caller.accountId, input);
  if (!endpoint.isAddition || !caller || isThere) return endpoint.invoke(call, input);
  const { accountId } = caller;
  return asAddition(
    app,
    { accountId, ...(!isScope(endpoint.byKey) && { key: `people of ${accountId}` }) },
    () => endpoint.invoke(call, input),
    ({ status }) => status !== 200 || !(201 in endpoint.response),
  );
}

/** Calls an endpoint for a form action, which checks the origin and sends `headers` itself. Throws DeedError. */
export async function callEndpoint<R extends Responses>(
  endpoint: TypedEndpoint<R>,
  request: Request,
  input: Input = {},
  headers = new Headers(),
): Promise<Reply<R>> {
  const call = { ...callOf(getApp(), request, connectionOf(request)), headers };
  return invoke(endpoint, await authorize(endpoint, call), input);
}

const decodeParams = (params: Record<string, string> = {}): Record<string, string> =>
  Object.fromEntries(
    Object.entries(params).map(([name, value]) => {
      try {
        return [name, decodeURIComponent(value)];
      } catch {
        throw new DeedError(name === "name" ? "invalid_domain" : "invalid_request", {
          message: `The path parameter "${name}" has a broken percent-escape.`,
          param: name,
        });
      }
    }),
  );

type Answer = { status: number; body: unknown };

function send({ path, caching, response }: Endpoint, { status, body }: Answer, headers: Headers) {
  const content = response[status];
  if (content === undefined) throw new Error(`${path} answers an undeclared ${status}`);
  if (caching) headers.set("Cache-Control", caching);
  if (content === null) return new Response(null, { status, headers });
  if ("redirect" in content) {
    headers.set("Location", String(body));
    headers.set("Cache-Control", "no-store");
    return new Response(null, { status, headers });
  }
  if ("stream" in content) {
    headers.set("Content-Type", "text/event-stream; charset=utf-8");
    headers.set("Cache-Control", "no-cache, no-transform");
    return new Response(body as string | ReadableStream, { status, headers });
  }
  if (!(body instanceof ReadableStream)) return json(body, { status, headers });
  if (!headers.has("Content-Type")) headers.set("Content-Type", "text/csv; charset=utf-8");
  return new Response(body, { status, headers });
}

async function respond(app: App, request: Request, connection: Connection, limits: Headers) {
  const call = callOf(app, request, connection);
  const path = call.path.replace(/(?<=.)\/$/, "");
  // The router ignores empty segments, but only the path and the path plus "/" are valid.
  const match = /\/(\/|$)/.test(path) ? undefined : findRoute(router, "", path);
  if (!match) throw new DeedError("not_found");
  const method = connection.foreignMethod ?? request.method;
  const allow = allowedMethods(match.data);
  if (method === "OPTIONS")
    return new Response(null, { status: 204, headers: { Allow: allow.join(", ") } });
  const endpoint = match.data.get(method === "HEAD" ? "GET" : method);
  if (!endpoint) throw new DeedError("method_not_allowed", { allow });
  const isPublic = endpoint.byKey === "ignored";
  const bearer = isPublic ? null : bearerOf(request);
  // A browser only sends a key from a script of this origin, so a call with a key needs no Origin.
  if (bearer === null) checkOrigin(request, app.env);
  if (app.closing.aborted && !(503 in endpoint.response))
    throw new DeedError("unavailable", { retryAfter: 5 });
  const world = isPublic ? await app.testWorlds.bySlug(match.params?.slug) : null;
  const authorizedCall =
    bearer === null
      ? await authorize(endpoint, { ...call, app: world ?? app })
      : await authorizeKey(endpoint, call, bearer, limits);
  const body = method === "GET" || method === "HEAD" ? undefined : await readJson(request);
  const input = { params: decodeParams(match.params), query: call.url.searchParams, body };
  return send(endpoint, await invoke(endpoint, authorizedCall, input), call.headers);
}

/** The order of the checks is part of the contract (docs/contract.md, C18.1). */
export async function dispatch(request: Request): Promise<Response> {
  const app = getApp();
  const connection = connectionOf(request);
  const limits = new Headers();
  const response = await respond(app, request, connection, limits).catch((error) =>
    // If the client has disconnected, the aborted read is not an error.
    connection.closed.aborted ? new Response(null, { status: 499 }) : toResponse(app, error),
  );
  for (const [name, value] of limits) response.headers.set(name, value);
  const method = connection.foreignMethod ? "other" : request.method;
  count("deed_api_requests_total", { method, status: response.status });
  if (request.method !== "HEAD") return response;
  await response.body?.cancel();
  return new Response(null, { status: response.status, headers: response.headers });
}
