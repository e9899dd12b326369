import {
  type ActionFunctionArgs,
  json,
  type LoaderFunctionArgs,
  type TypedResponse,
} from "@remix-run/node";
import { type App, getApp } from "#app/http/app.server.ts";
import { formOf } from "#app/http/body.server.ts";
import { requireSession, type Session } from "#app/http/caller/session.server.ts";
import { connectionOf } from "#app/http/connection.server.ts";
import { consumeBudget } from "#app/http/limits.server.ts";
import { type FormProblem, problemOf, throwPage } from "#app/http/page-errors.server.ts";
import { callEndpoint } from "./dispatch.server.ts";
import type { Input, Reply, Responses, TypedEndpoint } from "./endpoint.server.ts";

/** The loader of an account page: requires a session; a refusal becomes the error page of its status. */
export async function accountLoader<T>(
  { request }: LoaderFunctionArgs,
  load: (app: App, session: Session, query: URLSearchParams) => T | Promise<T>,
): Promise<TypedResponse<T>> {
  const session = await requireSession(request);
  try {
    return json(await load(getApp(), session, new URL(request.url).searchParams));
  } catch (thrown) {
    return throwPage(thrown);
  }
}

/** The loader of a page that anyone may open: draws on the budget of the visitor's address; refused as above. */
export async function publicLoader<T>(
  { request, params }: LoaderFunctionArgs,
  load: (app: App, slug: string) => T | Promise<T>,
): Promise<T> {
  const app = getApp();
  try {
    await consumeBudget(app, "proofs", connectionOf(request).address);
    return await load(app, params.slug ?? "");
  } catch (thrown) {
    return throwPage(thrown);
  }
}

/** A form that was sent. `call` calls an endpoint, with the page's params unless others are given. */
type Sent = {
  app: App;
  form: URLSearchParams;
  call<R extends Responses>(
    endpoint: TypedEndpoint<R>,
    input?: Input,
  ): Promise<Reply<R> & { headers: Headers }>;
};

/** What the page is given of a refusal, to show next to the form; `form` is null if it could not be read. */
type Refused<D> = (refusal: ReturnType<typeof problemOf>, form: URLSearchParams | null) => D;
type Problem = { problem: FormProblem };

/** The action of a page that anyone may open: reads the form and lets `submit` answer or redirect. */
export async function publicAction<R extends TypedResponse<unknown>, D = Problem>(
  { request, params }: ActionFunctionArgs,
  submit: (sent: Sent) => Promise<R>,
  refused: Refused<D> = ({ problem }) => ({ problem }) as D,
): Promise<R | TypedResponse<D>> {
  let form: URLSearchParams | null = null;
  try {
    form = await formOf(request);
    const call: Sent["call"] = (endpoint, input) =>
      callEndpoint(endpoint, request, { params, ...input });
    return await submit({ app: getApp(), form, call });
  } catch (thrown) {
    const refusal = problemOf(thrown);
    const { status, headers } = refusal;
    return json(refused(refusal, form), { status, headers });
  }
}

/** The action of an account page: as of a public page, but requires a session. */
export async function formAction<R extends TypedResponse<unknown>, D = Problem>(
  args: ActionFunctionArgs,
  submit: (sent: Sent & { session: Session }) => Promise<R>,
  refused?: Refused<D>,
): Promise<R | TypedResponse<D>> {
  const session = await requireSession(args.request);
  return publicAction(args, (sent) => submit({ ...sent, session }), refused);
}
