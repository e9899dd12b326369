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

export type RouteArgs = LoaderFunctionArgs;

/** `app` is a test world's for a slug of test mode; `id` and `slug` are from the address, empty if it has none. */
type PageArgs = { app: App; id: string; slug: string; query: URLSearchParams };

async function argsOf({ request, params: { id = "", slug = "" } }: RouteArgs) {
  const app = (await getApp().testWorlds.bySlug(slug)) ?? getApp();
  return { app, id, slug, query: new URL(request.url).searchParams } satisfies PageArgs;
}

type Loaded<T> = T extends Response ? T : T & { now: string };

/** Loads an account page; a refusal becomes its error page. Adds `now`, the time of loading, to the data. */
export async function accountLoader<T extends object>(
  args: RouteArgs,
  load: (page: PageArgs & { session: Session }) => T | Promise<T>,
  identify = requireSession,
): Promise<Loaded<T>> {
  const session = await identify(args.request);
  try {
    const data = await load({ ...(await argsOf(args)), session });
    const isData = !(data instanceof Response);
    return (isData ? { ...data, now: iso(getApp().clock()) } : data) as Loaded<T>;
  } catch (error) {
    return throwPage(error);
  }
}

export const chargeVisitor = ({ limiter }: App, request: Request) =>
  limiter.consume({ proofs: connectionOf(request).address });

/** Loads a public page and spends the budget of the visitor's address; a refusal becomes its error page. */
export async function publicLoader<T>(args: RouteArgs, load: (page: PageArgs) => T | Promise<T>) {
  try {
    const page = await argsOf(args);
    chargeVisitor(page.app, args.request);
    return await load(page);
  } catch (thrown) {
    return throwPage(thrown);
  }
}

/** A sent form. `field` returns a field's text, empty if missing; `call` uses the page's params unless others are given. */
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
  identity: P,
  handlers: FormHandlers<SentForm & P>,
  refusalData: RefusalData<D> = ({ problem }) => ({ problem }) as D,
) {
  const { request, params } = args;
  const headers = new Headers();
  let sentForm: URLSearchParams | null = null;
  try {
    const form = await formOf(request);
    sentForm = form;
    const field = (name: string) => form.get(name) ?? "";
    const intent = field("intent");
    const intentHandler = Object.hasOwn(handlers, intent) ? Object(handlers)[intent] : undefined;
    const handle: FormHandler<SentForm & P> =
      typeof handlers === "function" ? handlers : intentHandler;
    if (!handle) throw new DeedError("invalid_request");
    const call: SentForm["call"] = (endpoint, input) =>
      callEndpoint(endpoint, request, { params, ...input }, headers);
    const answer = await handle({ ...(await argsOf(args)), ...identity, form, field, call });
    if (typeof answer === "string") return redirect(answer, { status: 303, headers });
    return answer instanceof Response ? answer : json(answer, { headers });
  } catch (thrown) {
    const { problem, ...init } = problemOf(thrown);
    return json(refusalData({ problem, ...init }, sentForm), init);
  }
}

export const oneCall =
  (endpoint: TypedEndpoint<Responses>, nextPath: string, inputOf?: (sent: SentForm) => Input) =>
  async (sent: SentForm) => {
    await sent.call(endpoint, inputOf?.(sent));
    return nextPath;
  };

export const publicAction = <I extends FormHandlers<SentForm>, D = Problem>(
  args: RouteArgs,
  handlers: I,
  refusalData?: RefusalData<D>,
) => answerForm(args, {}, handlers, refusalData) as Promise<AnswerOf<I> | TypedResponse<D>>;

export async function accountAction<
  I extends FormHandlers<SentForm & { session: Session }>,
  D = Problem,
>(args: RouteArgs, handlers: I, refusalData?: RefusalData<D>) {
  const session = await requireSession(args.request);
  const answer = await answerForm(args, { session }, handlers, refusalData);
  return answer as AnswerOf<I> | TypedResponse<D>;
}
