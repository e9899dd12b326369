import type { EntryContext } from "@remix-run/node";
import { RemixServer } from "@remix-run/react";
import { renderToString } from "react-dom/server";
import { start } from "./start.server.ts";

start();

/** Pages are rendered to a string: streamed, a compressed page costs three times as much. */
export default function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  context: EntryContext,
): Response {
  const html = `<!doctype html>${renderToString(<RemixServer context={context} url={request.url} />)}`;
  headers.set("Content-Type", "text/html; charset=utf-8");
  return new Response(html, { status, headers });
}

export { handleError } from "./start.server.ts";
