import { json } from "@remix-run/node";
import { DeedError, type ErrorCode } from "#app/services/errors.server.ts";
import { getApp } from "./app.server.ts";
import { asDeedError, isStorageTrouble } from "./errors.server.ts";

/** Why a form was not accepted, for the page it stands on. */
export type FormProblem = { code: ErrorCode; message: string };

const FAULTS_FROM = 500;

/** What the answer's header says of trying again. */
function headersOf({ details: { retryAfter, allow } }: DeedError): Headers {
  const headers = new Headers();
  if (retryAfter !== undefined) headers.set("Retry-After", String(retryAfter));
  if (allow) headers.set("Allow", allow.join(", "));
  return headers;
}

/** How long to wait, in the unit a person would say it in. */
function waitText(seconds: number): string {
  if (seconds === 1) return "1 second";
  if (seconds < 120) return `${seconds} seconds`;
  return seconds < 7_200
    ? `${Math.ceil(seconds / 60)} minutes`
    : `${Math.ceil(seconds / 3_600)} hours`;
}

/** People do not read headers. */
const sentenceOf = ({ code, message, details: { retryAfter } }: DeedError): string =>
  code === "rate_limited" && retryAfter !== undefined
    ? `Too many requests just now. It can be tried again in ${waitText(retryAfter)}.`
    : message;

/**
 * For loaders: an error of the contract becomes the error page of its status, and so does a database that
 * is held or full; anything else is a fault and goes on as it is. Always throws.
 */
export function throwPage(thrown: unknown): never {
  const error = isStorageTrouble(thrown) ? asDeedError(getApp(), thrown) : thrown;
  if (!(error instanceof DeedError)) throw error;
  const { code, message, status, details } = error;
  throw json(
    { code, message, retryAfter: details.retryAfter ?? null },
    { status, headers: headersOf(error) },
  );
}

/**
 * For actions: what was refused, to be shown beside its form, with the answer's status and headers.
 * What the form cannot mend (a fault, another site's post) becomes an error page.
 */
export function problemOf(thrown: unknown): {
  problem: FormProblem;
  status: number;
  headers: Headers;
} {
  if (!(thrown instanceof DeedError) || thrown.status >= FAULTS_FROM || thrown.status === 403)
    return throwPage(thrown);
  const { code, status } = thrown;
  return { problem: { code, message: sentenceOf(thrown) }, status, headers: headersOf(thrown) };
}
