import { jwkSet } from "#app/features/receipts/keys.server.ts";
import { getApp } from "#app/http/app.server.ts";
import { connectionOf } from "#app/http/connection.server.ts";
import { json, toResponse } from "#app/http/errors.server.ts";
import { consumeBudget } from "#app/http/limits.server.ts";
import type { LoaderFunctionArgs } from "#app/remix/node.server.ts";

/** The keys that have signed receipts, as a JWK Set. */
export async function loader({ request }: LoaderFunctionArgs) {
  const app = getApp();
  try {
    await consumeBudget(app, "proofs", connectionOf(request).address);
    return json(jwkSet(app), { headers: new Headers({ "Cache-Control": "max-age=300" }) });
  } catch (thrown) {
    return toResponse(app, thrown);
  }
}

export const action = () =>
  new Response(null, { status: 405, headers: { Allow: "GET, HEAD, OPTIONS" } });
