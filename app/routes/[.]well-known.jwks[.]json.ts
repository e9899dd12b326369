import { chargeVisitor } from "#app/api/page.server.ts";
import { jwkSet } from "#app/features/receipts/keys.server.ts";
import { getApp } from "#app/http/app.server.ts";
import { ALLOW_SAFE } from "#app/http/connection.server.ts";
import { json, toResponse } from "#app/http/errors.server.ts";
import type { LoaderFunctionArgs } from "#app/remix/node.server.ts";

export async function loader({ request }: LoaderFunctionArgs) {
  const app = getApp();
  try {
    chargeVisitor(app, request);
    return json(jwkSet(app), { headers: new Headers({ "Cache-Control": "max-age=300" }) });
  } catch (error) {
    return toResponse(app, error);
  }
}

export const action = () => new Response(null, { status: 405, headers: ALLOW_SAFE });
