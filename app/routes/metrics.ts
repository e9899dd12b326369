import { metricsText } from "#app/api/metrics-text.server.ts";

/** Metrics in Prometheus text format, off unless METRICS=on. */
export const loader = () => {
  const text = metricsText();
  if (text === null) return new Response("Not found\n", { status: 404 });
  return new Response(text, {
    headers: {
      "Content-Type": "text/plain; version=0.0.4; charset=utf-8",
      "Cache-Control": "no-store",
    },
  });
};

export const action = () =>
  new Response(null, { status: 405, headers: { Allow: "GET, HEAD, OPTIONS" } });
