import type { Env } from "#app/env.server.ts";

/** Allows an answer opened as a document to load nothing. Pages replace it with their own policy. */
export const CLOSED_POLICY =
  "default-src 'none'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The headers of every answer: page, API, stream, file, or the refusal of an invalid request. */
export const answerHeaders = ({ BASE_URL }: Pick<Env, "BASE_URL">): Record<string, string> => ({
  "X-Content-Type-Options": "nosniff",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Content-Security-Policy": CLOSED_POLICY,
  ...(BASE_URL.startsWith("https:")
    ? { "Strict-Transport-Security": "max-age=31536000; includeSubDomains" }
    : {}),
});
