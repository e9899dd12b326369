import { DeedError, type ErrorCode } from "#app/services/errors.server.ts";
import type { App } from "./app.server.ts";

export type ErrorEnvelope = {
  error: { code: ErrorCode; message: string; docsUrl: string } & Record<string, unknown>;
};

/** The body of every error answer. `docsUrl` is the address of the error pages, without a trailing slash. */
export function envelope(error: DeedError, docsUrl: string): ErrorEnvelope {
  return {
    error: {
      code: error.code,
      message: error.message,
      docsUrl: `${docsUrl}/errors#${error.code}`,
      ...error.details.extra,
    },
  };
}

/** Whether the database takes no writes: it is locked by another process, its disk is full, or its files are gone. */
export const isStorageTrouble = (thrown: unknown): boolean =>
  thrown instanceof Error &&
  "code" in thrown &&
  /^SQLITE_(BUSY|FULL|IOERR|CANTOPEN|READONLY)/.test(String(thrown.code));

/** Turns anything thrown into an error of the contract. Other errors are logged and become `internal`. */
export function asDeedError(app: App, thrown: unknown): DeedError {
  if (thrown instanceof DeedError) return thrown;
  app.log.error({ err: thrown }, "request failed");
  if (isStorageTrouble(thrown)) return new DeedError("unavailable", { retryAfter: 5 });
  return new DeedError("internal");
}

const encoder = new TextEncoder();

/** A JSON answer, neither compressed nor chunked. Adds to `headers`. */
export function json(
  body: unknown,
  { status = 200, headers = new Headers() }: { status?: number; headers?: Headers } = {},
): Response {
  const bytes = encoder.encode(JSON.stringify(body));
  headers.set("Content-Type", "application/json; charset=utf-8");
  headers.set("Content-Length", String(bytes.byteLength));
  if (!headers.has("Cache-Control")) headers.set("Cache-Control", "no-store, no-transform");
  return new Response(bytes, { status, headers });
}

/** The answer to an error: its status, Retry-After, Allow and WWW-Authenticate if it has them, and the envelope. */
export function toResponse(app: App, thrown: unknown): Response {
  const error = asDeedError(app, thrown);
  const headers = new Headers();
  const { retryAfter, allow, challenge } = error.details;
  if (retryAfter !== undefined)
    headers.set("Retry-After", String(Math.max(1, Math.ceil(retryAfter))));
  if (allow) headers.set("Allow", allow.join(", "));
  if (challenge) headers.set("WWW-Authenticate", challenge);
  return json(envelope(error, app.settings.docsUrl), { status: error.status, headers });
}
