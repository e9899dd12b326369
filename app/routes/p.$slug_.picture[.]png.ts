import { createHash } from "node:crypto";
import type { LoaderFunctionArgs } from "@remix-run/node";
import { fullText } from "#app/components/ui/time.tsx";
import { getApp } from "#app/http/app.server.ts";
import { connectionOf } from "#app/http/connection.server.ts";
import { toResponse } from "#app/http/errors.server.ts";
import { consumeBudget } from "#app/http/limits.server.ts";
import { readProof } from "#app/services/proofs/proofs.server.ts";

/** The picture of a proof, for services that show a preview of its link: only what no later proof changes. */
export async function loader({ request, params }: LoaderFunctionArgs) {
  const app = getApp();
  const { address } = connectionOf(request);
  try {
    await consumeBudget(app, "proofs", address);
    const { domain, unicodeDomain, heldBy, provedAt } = readProof(app, params.slug ?? "");
    const text = { domain, unicodeDomain, heldBy, moment: fullText(provedAt) };
    const content = `${app.settings.version} ${JSON.stringify(text)}`;
    const tag = `"${createHash("sha256").update(content).digest("base64url")}"`;
    const headers = new Headers({
      // Asked for again each time, because a revoked link has no picture.
      "Cache-Control": "no-cache",
      ETag: tag,
      "Cross-Origin-Resource-Policy": "cross-origin",
    });
    if (request.headers.get("If-None-Match")?.includes(tag))
      return new Response(null, { status: 304, headers });
    const png = await app.pictures.png(text);
    headers.set("Content-Type", "image/png");
    headers.set("Content-Length", String(png.byteLength));
    return new Response(png, { headers });
  } catch (thrown) {
    return toResponse(app, thrown);
  }
}

export const action = () =>
  new Response(null, { status: 405, headers: { Allow: "GET, HEAD, OPTIONS" } });
