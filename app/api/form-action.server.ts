import {
  type ActionFunctionArgs,
  json,
  type LoaderFunctionArgs,
  type TypedResponse,
} from "@remix-run/node";
import { formOf } from "#app/http/body.server.ts";
import { requireSession, type Session } from "#app/http/caller/session.server.ts";
import { type FormProblem, problemOf, throwPage } from "#app/http/page-errors.server.ts";

/** The loader of an account page: requires a session; a refusal becomes the error page of its status. */
export const accountLoader = async <T>(
  { request }: LoaderFunctionArgs,
  load: (accountId: string) => T | Promise<T>,
): Promise<TypedResponse<T>> => {
  const { accountId } = await requireSession(request);
  try {
    return json(await load(accountId));
  } catch (thrown) {
    return throwPage(thrown);
  }
};

/**
 * The action of an account page: requires a session, reads the form and lets `submit` redirect. A refusal becomes
 * `problem`, to show next to the form.
 */
export async function formAction(
  { request }: ActionFunctionArgs,
  submit: (form: URLSearchParams, session: Session) => Promise<TypedResponse<never>>,
): Promise<TypedResponse<{ problem: FormProblem }>> {
  const session = await requireSession(request);
  try {
    return await submit(await formOf(request), session);
  } catch (thrown) {
    const { problem, ...init } = problemOf(thrown);
    return json({ problem }, init);
  }
}
