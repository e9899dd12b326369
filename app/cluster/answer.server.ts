import type { ServerResponse } from "node:http";
import { envelope } from "#app/http/errors.server.ts";
import { DeedError } from "#app/services/errors.server.ts";
import { REFUSAL_HEADER } from "./forward.server.ts";

function send(response: ServerResponse, error: DeedError, type: string, text: string): void {
  if (response.headersSent || response.destroyed) return;
  const { retryAfter } = error.details;
  response.statusCode = error.status;
  if (retryAfter !== undefined) response.setHeader("Retry-After", String(retryAfter));
  response.setHeader("Content-Type", `${type}; charset=utf-8`);
  response.setHeader("Cache-Control", "no-store");
  response.end(text);
}

/** Contains no user text and no styles: it is shown when the primary, which renders the pages, is unreachable. */
const pageOf = (message: string) =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
  `<title>Not possible right now · Deed</title><h1>Not possible right now</h1><p>${message}</p>` +
  "<p>Go back and try again in a few seconds.</p></html>";

/** An error answered before the request reaches the site: the envelope under /api, a short page elsewhere. */
export function answerError(
  response: ServerResponse,
  url: string,
  error: DeedError,
  docsUrl: string,
): void {
  if (/^\/api(?:[/?]|$)/.test(url))
    send(response, error, "application/json", JSON.stringify(envelope(error, docsUrl)));
  else send(response, error, "text/html", pageOf(error.message));
}

/** Refuses a client that claims to be a node of this cluster without knowing its secret. */
export function refuseForwarded(response: ServerResponse): void {
  const error = new DeedError("invalid_request", {
    message: "This node does not accept forwarded requests from you.",
  });
  response.setHeader(REFUSAL_HEADER, "secret");
  send(response, error, "text/plain", `${error.message}\n`);
}
