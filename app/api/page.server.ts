import { DeedError } from "#app/core/errors.server.ts";
import { iso } from "#app/core/time.ts";
import { type App, getApp } from "#app/http/app.server.ts";
import { formOf } from "#app/http/body.server.ts";
import { requireSession, type Session } from "#app/http/caller/session.server.ts";
import { connectionOf } from "#app/http/connection.server.ts";
import { type FormProblem, problemOf, throwPage } from "#app/http/page-errors.server.ts";
import {
  json,
  type LoaderFunctionArgs,
  redirect,
  type TypedResponse,
} from "#app/remix/node.server.ts";
import { callEndpoint } from "./dispatch.server.ts";
import type { Input, Reply, Responses, TypedEndpoint } from "./endpoint.server.ts";

/** Remix calls a page's loader and action with this. */
export type RouteArgs = LoaderFunctionArgs;

/** `app`: a test world's for a slug of test mode; `id`, `slug`: from the address, empty if it has none. */
type PageArgs = { app: App; id: string; slug: string; query: URLSearchParams };

async function requestOf({ request, params: { id = "", slug = "" } }: RouteArgs) {
  const app = (await getApp().testWorlds.bySlug(slug)) ?? getApp();
  return { app, id, slug, query: new URL(request.url).searchParams } satisfies PageArgs;
}

/** The loader of an account page: a refusal becomes its error page. Adds `now`, the time of loading. */
export async function accountLoader<T extends object>(
  args: RouteArgs,
  load: (asked: PageArgs & { session: Session }) => T | Promise<T>,
  identify = requireSession,
): Promise<T & { now: string }> {
  const session = await identify(args.request);
  try {
    return { ...(await load({ ...(await requestOf(args)), session })), now: iso(getApp().clock()) };
  } catch (thrown) {
    return throwPage(thrown);
  }
}

export const chargeVisitor = ({ limiter }: App, request: Request) =>
  limiter.consume({ proofs: connectionOf(request).address });

/** The loader of a public page: spends the budget of the visitor's address; refusals as above. */
export async function publicLoader<T>(args: RouteArgs, load: (asked: PageArgs) => T | Promise<T>) {
  try {
    const asked = await requestOf(args);
    chargeVisitor(asked.app, args.request);
    return await load(asked);
  } catch (thrown) {
    return throwPage(thrown);
  }
}

/** A sent form. `field`: a field's text, empty if missing. `call`: uses the page's params unless others are given. */
type SentForm = PageArgs & {
  form: URLSearchParams;
  field(name: string): string;
  call<R extends Responses>(endpoint: TypedEndpoint<R>, input?: Input): Promise<Reply<R>>;
};

/** Handles a form. Returns the next path, the page's data, or a response; the first two get the calls' cookies. */
type FormHandler<S> = (sent: S) => Promise<string | object>;
/** The handlers of a page's forms: one for all, or one for each intent. */
type FormHandlers<S> = FormHandler<S> | Record<string, FormHandler<S>>;
type Answer<I> = I extends (...sent: never) => Promise<infer A> ? Exclude<A, string> : never;
type AnswerOf<I> = Answer<I> | (I extends FormHandler<never> ? never : Answer<I[keyof I]>);

/** Makes the page's data about a refusal, to show next to the form; `form` is null if it could not be read. */
type RefusalData<D> = (refusal: ReturnType<typeof problemOf>, form: URLSearchParams | null) => D;
type Problem = { problem: FormProblem };

async function answerForm<P, D>(
  args: RouteArgs,
  person: P,
  intents: FormHandlers<SentForm & P>,
  refused: RefusalData<D> = ({ problem }) => ({ problem }) as D,
) {
  const { request, params } = args;
  const headers = new Headers();
  let form: URLSearchParams | null = null;
  try {
    const sent = await formOf(request);
    form = sent;
    const field = (name: string) => sent.get(name) ?? "";
    const intent = field("intent");
    const byIntent = Object.hasOwn(intents, intent) ? Object(intents)[intent] : undefined;
    const submit: FormHandler<SentForm & P> = typeof intents === "function" ? intents : byIntent;
    if (!submit) throw new DeedError("invalid_request");
    const call: SentForm["call"] = (endpoint, input) =>
      callEndpoint(endpoint, request, { params, ...input }, headers);
    const answer = await submit({ ...(await requestOf(args)), ...person, form: sent, field, call });
    if (typeof answer === "string") return redirect(answer, { status: 303, headers });
    return answer instanceof Response ? answer : json(answer, { headers });
  } catch (thrown) {
    const { problem, ...init } = problemOf(thrown);
    return json(refused({ problem, ...init }, form), init);
  }
}

/** For a form that is one call: calls the endpoint with the input from `inputOf`, then goes to `place`. */
export const calling =
  (endpoint: TypedEndpoint<Responses>, place: string, inputOf?: (sent: SentForm) => Input) =>
  async (sent: SentForm) => {
    await sent.call(endpoint, inputOf?.(sent));
    return place;
  };

export const publicAction = <I extends FormHandlers<SentForm>, D = Problem>(
  args: RouteArgs,
  intents: I,
  refused?: RefusalData<D>,
) => answerForm(args, {}, intents, refused) as Promise<AnswerOf<I> | TypedResponse<D>>;

export async function accountAction<
  I extends FormHandlers<SentForm & { session: Session }>,
  D = Problem,
>(args: RouteArgs, intents: I, refused?: RefusalData<D>) {
  const session = await requireSession(args.request);
  const answer = await answerForm(args, { session }, intents, refused);
  return answer as AnswerOf<I> | TypedResponse<D>;
}
