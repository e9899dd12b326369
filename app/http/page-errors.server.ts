import { durationInWords } from "@deed/dns/words/wording.ts";
import { DeedError, type ErrorCode } from "#app/core/errors.server.ts";
import { iso } from "#app/core/time.ts";
import { json, type LoaderFunctionArgs } from "#app/remix/node.server.ts";
import { isRouteErrorResponse } from "#app/remix/react.ts";
import { getApp } from "./app.server.ts";
import { asDeedError, headersOf, isStorageTrouble } from "./errors.server.ts";
import { loggedTarget } from "./log.server.ts";

export type FormProblem = { code: ErrorCode; message: string; param?: string | undefined };

/** Says in the message how long to wait, because people do not read headers. */
const sentenceOf = ({ code, message, details: { retryAfter } }: DeedError): string =>
  code === "rate_limited" && retryAfter !== undefined
    ? `Too many requests. Try again in ${durationInWords(retryAfter)}.`
    : message;

const known = (thrown: unknown): unknown =>
  isStorageTrouble(thrown) ? asDeedError(getApp(), thrown) : thrown;

export const orNotFound = <T>(found: T | null | undefined): T =>
  found ?? throwPage(new DeedError("not_found"));

/** Ends a loader: throws a contract error, and one of a locked or full database, as a page, and any other unchanged. */
export function throwPage(thrown: unknown): never {
  const error = known(thrown);
  if (!(error instanceof DeedError)) throw error;
  const { code, message, status, details } = error;
  const retryAfter = details.retryAfter ?? null;
  throw json({ code, message, retryAfter }, { status, headers: headersOf(error) });
}

/** Returns the problem that an action shows beside its form. If sending again cannot help, it becomes an error page. */
export function problemOf(thrown: unknown) {
  const error = known(thrown);
  const isFormError =
    error instanceof DeedError &&
    error.code !== "cross_origin" &&
    (error.status < 500 || error.code === "unavailable");
  if (!isFormError) return throwPage(error);
  const { param } = error.details;
  const problem: FormProblem = { code: error.code, message: sentenceOf(error), param };
  return { problem, status: error.status, headers: headersOf(error) };
}

/** Returns when the form may be sent again; null unless a budget refused it. */
export const tooSoonOf = ({ problem, headers }: ReturnType<typeof problemOf>) =>
  problem.code === "rate_limited"
    ? { retryAt: iso(getApp().clock() + Number(headers.get("Retry-After")) * 1000) }
    : null;

/** Logs a fault, without the request's query. Contract errors are no faults. */
export function handleError(error: unknown, { request }: LoaderFunctionArgs): void {
  const isAnswer =
    error instanceof DeedError ||
    error instanceof Response ||
    (isRouteErrorResponse(error) && error.status < 500);
  if (request.signal.aborted || isAnswer) return;
  const path = loggedTarget(new URL(request.url).pathname);
  getApp().log.error({ err: error, method: request.method, path }, "request failed");
}
