import type { LoaderFunctionArgs } from "@remix-run/node";
import { getApp } from "#app/http/app.server.ts";
import { connectionOf } from "#app/http/connection.server.ts";
import { toResponse } from "#app/http/errors.server.ts";
import { consumeBudget } from "#app/http/limits.server.ts";
import { parseLogPath, readLogResource } from "#app/services/log/tiles.server.ts";

const TEXT = "text/plain; charset=utf-8";

/** The transparency log: checkpoints, tiles and entries, as C2SP tlog-tiles has them. */
export async function loader({ request }: LoaderFunctionArgs) {
  const app = getApp();
  // Monitors of other origins read the log in browsers too.
  const headers = new Headers({
    "Access-Control-Allow-Origin": "*",
    "Cache-Control": "no-cache",
    "Content-Type": TEXT,
  });
  try {
    await consumeBudget(app, "proofs", connectionOf(request).address);
    const resource = parseLogPath(new URL(request.url).pathname);
    const found = resource && readLogResource(app.db, resource);
    if (!resource || found === null) return new Response("Not found\n", { status: 404, headers });
    if (resource.tile) headers.set("Content-Type", "application/octet-stream");
    // The tiles of /log/tile are another log's once a new log begins.
    if (resource.tile && resource.log)
      headers.set("Cache-Control", "public, max-age=31536000, immutable");
    headers.set("Content-Length", String(Buffer.byteLength(found)));
    return new Response(found, { headers });
  } catch (thrown) {
    return toResponse(app, thrown);
  }
}

export const action = () =>
  new Response(null, { status: 405, headers: { Allow: "GET, HEAD, OPTIONS" } });
