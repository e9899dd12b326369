import { ERRORS } from "#app/core/errors.server.ts";

const [status, sentence] = ERRORS.cross_origin;

/** Cross-site page writes are routed here before any action can run. */
export const loader = () =>
  new Response(`${sentence}\n`, {
    status,
    headers: { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store" },
  });
export const action = loader;
