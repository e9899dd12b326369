import { publicMetricsText } from "#app/features/admin/metrics-text.server.ts";
import { ALLOW_SAFE } from "#app/http/connection.server.ts";
import { METRICS_HEADERS } from "#app/http/metrics.server.ts";
import type { LoaderFunctionArgs } from "#app/remix/node.server.ts";

/** Metrics in Prometheus text format if METRICS=on; needs the token if METRICS_TOKEN is set. */
export const loader = async ({ request }: LoaderFunctionArgs) => {
  const text = await publicMetricsText(request.headers.get("Authorization") ?? undefined);
  if (text === null) return new Response("Not found\n", { status: 404 });
  return new Response(text, { headers: METRICS_HEADERS });
};

export const action = () => new Response(null, { status: 405, headers: ALLOW_SAFE });
