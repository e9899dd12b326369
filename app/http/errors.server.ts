import type { ServerResponse } from "node:http";
import { durationInWords } from "@deed/dns/words/wording.ts";
import type { Context } from "#app/core/context.server.ts";
import { DeedError, LIMIT_OF } from "#app/core/errors.server.ts";

export function envelope(error: DeedError, docsUrl: string) {
  const budget = error.details.budget ?? LIMIT_OF[error.code];
  return {
    error: {
      code: error.code,
      message: error.message,
      docsUrl: `${docsUrl}/errors#${error.code}`,
      ...(error.code === "invalid_request" && { param: error.details.param ?? null }),
      ...(budget !== undefined && { budget }),
      ...error.details.extra,
    },
  };
}

/** Whether the database is locked by another process, on a full disk, or without its files. */
export const isStorageTrouble = (thrown: unknown): boolean =>
  thrown instanceof Error &&
  "code" in thrown &&
  /^SQLITE_(BUSY|FULL|IOERR|CANTOPEN|READONLY)/.test(String(thrown.code));

/** Returns a DeedError unchanged. Any other error is logged, and becomes `unavailable` or `internal`. */
export function asDeedError(ctx: Pick<Context, "log">, thrown: unknown): DeedError {
  if (thrown instanceof DeedError) return thrown;
  ctx.log.error({ err: thrown }, "request failed");
  if (isStorageTrouble(thrown)) return new DeedError("unavailable", { retryAfter: 5 });
  return new DeedError("internal");
}

const encoder = new TextEncoder();

/** Makes a JSON response that is neither compressed nor chunked. Adds to the given `headers`. */
export function json(
  body: unknown,
  { status = 200, headers = new Headers() }: { status?: number; headers?: Headers } = {},
): Response {
  const bytes = encoder.encode(JSON.stringify(body));
  headers.set("Content-Type", "application/json; charset=utf-8");
  headers.set("Content-Length", String(bytes.byteLength));
  if (!headers.has("Cache-Control")) headers.set("Cache-Control", "no-store, no-transform");
  return new Response(bytes, { status, headers });
}

export function headersOf({ details: { retryAfter, allow } }: DeedError): Headers {
  const headers = new Headers();
  if (retryAfter !== undefined) headers.set("Retry-After", `${Math.max(1, Math.ceil(retryAfter))}`);
  if (allow) headers.set("Allow", allow.join(", "));
  return headers;
}

export function toResponse(ctx: Pick<Context, "log" | "settings">, thrown: unknown): Response {
  const error = asDeedError(ctx, thrown);
  const headers = headersOf(error);
  const { challenge } = error.details;
  if (challenge) headers.set("WWW-Authenticate", challenge);
  return json(envelope(error, ctx.settings.docsUrl), { status: error.status, headers });
}

export function sendError(response: ServerResponse, error: DeedError, type: string, text: string) {
  if (response.headersSent || response.destroyed) return;
  response.statusCode = error.status;
  response.setHeaders(headersOf(error));
  response.setHeader("Content-Type", `${type}; charset=utf-8`);
  response.setHeader("Cache-Control", "no-store");
  response.end(text);
}

/** Makes a page without user text and styles, for when the usual page cannot be rendered or would cost too much. */
const pageOf = ({ code, message, details: { retryAfter = 5 } }: DeedError) =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
  "<title>Not possible right now · Deed</title><h1>Not possible right now</h1>" +
  `<p>${code === "rate_limited" ? "Too many requests." : message}</p>` +
  `<p>Go back and try again in ${durationInWords(retryAfter)}.</p></html>`;

/** Answers an error before the request reaches the site: with JSON under /api and for Remix's script, else a short page. */
export function answerError(
  response: ServerResponse,
  url: string,
  error: DeedError,
  docsUrl: string,
): void {
  const [path = "", query] = url.split("?", 2);
  const sendJson = (body: object) =>
    sendError(response, error, "application/json", JSON.stringify(body));
  if (/^\/api(?:\/|$)/.test(path)) sendJson(envelope(error, docsUrl));
  else if (new URLSearchParams(query).has("_data")) {
    const { code, message, details } = error;
    if (!response.headersSent) response.setHeader("X-Remix-Catch", "yes");
    sendJson({ code, message, retryAfter: details.retryAfter ?? null });
  } else sendError(response, error, "text/html", pageOf(error));
}
