import type { Env } from "#app/env.server.ts";

/** What an answer may load where it is opened as a document: nothing. Pages put a policy of their own in its place. */
export const CLOSED_POLICY =
  "default-src 'none'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** What every answer carries, whoever makes it: page, API, stream, file, or the refusal of what is no request. */
export const answerHeaders = ({ BASE_URL }: Pick<Env, "BASE_URL">): Record<string, string> => ({
  "X-Content-Type-Options": "nosniff",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Content-Security-Policy": CLOSED_POLICY,
  ...(BASE_URL.startsWith("https:")
    ? { "Strict-Transport-Security": "max-age=31536000; includeSubDomains" }
    : {}),
});
