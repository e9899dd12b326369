import { randomBytes } from "node:crypto";
import * as build from "@remix-run/dev/server-build";
import { renderToString } from "react-dom/server";
import { markdownOf } from "#app/features/docs/view/markdown.ts";
import { ALLOW_SAFE, connectionOf } from "#app/http/connection.server.ts";
import type { EntryContext } from "#app/remix/node.server.ts";
import { RemixServer } from "#app/remix/react.ts";
import { NonceContext, RequestIdContext } from "#app/ui/frame.tsx";
import { type PageHandle, sendsScript } from "#app/ui/page.tsx";
import { start } from "./start.server.ts";

await start(() => build);

function handleOf({ routeModules, staticHandlerContext: { matches } }: EntryContext): PageHandle {
  return (routeModules[matches.at(-1)?.route.id ?? ""]?.handle as PageHandle | undefined) ?? {};
}

/** A Content-Security-Policy. A nonce must be new for each response; without one no script in the page runs. */
const pagePolicy = (scripts: string): string =>
  [
    "default-src 'none'",
    `script-src ${scripts}`,
    "style-src 'self'",
    "img-src 'self'",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "object-src 'none'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");

function setPageHeaders(headers: Headers): void {
  // With `no-referrer`, forms would send `Origin: null`, and the origin check would refuse them.
  if (!headers.has("Referrer-Policy")) headers.set("Referrer-Policy", "same-origin");
  headers.set("Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()");
  headers.set("Cross-Origin-Opener-Policy", "same-origin");
  if (!headers.has("Cache-Control")) headers.set("Cache-Control", "no-store");
}

/** Renders pages to a string; streaming a compressed page costs three times as much. */
export default function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  context: EntryContext,
): Response {
  const handle = handleOf(context);
  const nonce = sendsScript(handle) ? randomBytes(16).toString("base64") : undefined;
  const scripts = nonce ? `'self' 'nonce-${nonce}'` : handle.scriptFile ? "'self'" : "'none'";
  const html = renderToString(
    <NonceContext.Provider value={nonce}>
      <RequestIdContext.Provider value={connectionOf(request).requestId}>
        <RemixServer context={context} url={request.url} />
      </RequestIdContext.Provider>
    </NonceContext.Provider>,
  );
  // Remix gives an action's headers only to its own route, but Retry-After belongs to the answer of any form.
  for (const actionHeaders of Object.values(context.staticHandlerContext.actionHeaders)) {
    const retryAfter = actionHeaders.get("Retry-After");
    if (retryAfter) headers.set("Retry-After", retryAfter);
  }
  const isMarkdown =
    new URL(request.url).pathname.startsWith("/docs") &&
    request.headers.get("Accept")?.startsWith("text/markdown");
  headers.set("Content-Type", `text/${isMarkdown ? "markdown" : "html"}; charset=utf-8`);
  setPageHeaders(headers);
  if (status === 405) headers.set("Allow", ALLOW_SAFE.Allow);
  connectionOf(request).setPolicy(pagePolicy(scripts));
  const body = isMarkdown ? markdownOf(html) : `<!doctype html>${html}`;
  return new Response(body, { status, headers });
}

/** Data for the page's script is as private as the page. */
export function handleDataRequest(response: Response): Response {
  if (!response.headers.has("Cache-Control")) response.headers.set("Cache-Control", "no-store");
  return response;
}

export { handleError } from "#app/http/page-errors.server.ts";
