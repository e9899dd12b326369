import type { ServerResponse } from "node:http";
import type { DeedError } from "#app/services/errors.server.ts";
import { envelope } from "./errors.server.ts";
import { waitText } from "./page-errors.server.ts";

/** Answers with an error and a text; does nothing if the answer has begun. */
export function sendError(
  response: ServerResponse,
  error: DeedError,
  type: string,
  text: string,
): void {
  if (response.headersSent || response.destroyed) return;
  const { retryAfter } = error.details;
  response.statusCode = error.status;
  if (retryAfter !== undefined) response.setHeader("Retry-After", String(retryAfter));
  response.setHeader("Content-Type", `${type}; charset=utf-8`);
  response.setHeader("Cache-Control", "no-store");
  response.end(text);
}

/** Contains no user text and no styles: it is shown where the page's own cannot be rendered, or would cost too much. */
const pageOf = ({ code, message, details: { retryAfter = 5 } }: DeedError) =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
  "<title>Not possible right now · Deed</title><h1>Not possible right now</h1>" +
  `<p>${code === "rate_limited" ? "Too many requests." : message}</p>` +
  `<p>Go back and try again in ${waitText(retryAfter)}.</p></html>`;

/**
 * An error answered before the request reaches the site: the envelope under /api, what Remix's script shows as an error
 * page where that asks for a page's data, a short page elsewhere.
 */
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
