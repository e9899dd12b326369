import { json } from "@remix-run/node";
import { DeedError, type ErrorCode } from "#app/services/errors.server.ts";

/** Why a form was not accepted, for the page it stands on. */
export type FormProblem = { code: ErrorCode; message: string };

const FAULTS_FROM = 500;

/**
 * For loaders: an error of the contract becomes the error page of its status; anything else is a fault
 * and goes on as it is. Always throws.
 */
export function throwPage(thrown: unknown): never {
  if (!(thrown instanceof DeedError)) throw thrown;
  const { retryAfter, allow } = thrown.details;
  const headers = new Headers();
  if (retryAfter !== undefined) headers.set("Retry-After", String(retryAfter));
  if (allow) headers.set("Allow", allow.join(", "));
  throw json(
    { code: thrown.code, message: thrown.message, retryAfter: retryAfter ?? null },
    { status: thrown.status, headers },
  );
}

/**
 * For actions: what was refused, to be shown beside its form, with the status of the answer.
 * What the form cannot mend (a fault, another site's post) becomes an error page.
 */
export function problemOf(thrown: unknown): { problem: FormProblem; status: number } {
  if (!(thrown instanceof DeedError) || thrown.status >= FAULTS_FROM || thrown.status === 403)
    return throwPage(thrown);
  const { code, message, status } = thrown;
  return { problem: { code, message }, status };
}
