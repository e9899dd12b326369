import { expect } from "vitest";
import { ERRORS, type ErrorCode, LIMIT_OF } from "#app/core/errors.server.ts";
import { accountForEmail } from "#app/core/testing/accounts.ts";
import { requestTo, type TestApp } from "#app/features/sign-in/testing.ts";
import { startSession } from "#app/http/caller/session.server.ts";
import { dispatch } from "./dispatch.server.ts";

export type CallFields = {
  cookie?: string | undefined;
  headers?: Record<string, string>;
  json?: unknown;
  body?: BodyInit;
};

/** Makes one call through dispatch, without a network. */
export async function call(
  app: TestApp,
  method: string,
  path: string,
  { cookie, headers = {}, json, body }: CallFields = {},
): Promise<{ status: number; headers: Headers; text: string; body: unknown }> {
  const type = json !== undefined && { "Content-Type": "application/json" };
  const sent = json === undefined ? body : JSON.stringify(json);
  const fields = { method, cookie, headers: { ...type, ...headers }, ...(sent && { body: sent }) };
  const response = await dispatch(requestTo(app, path, fields));
  const text = await response.text();
  const isJson = response.headers.get("Content-Type")?.startsWith("application/json") ?? false;
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: isJson && text !== "" ? JSON.parse(text) : null,
  };
}

/** Starts a session for the account with that address and returns its cookie. */
export async function signedIn(app: TestApp, email = "mara@acme.com"): Promise<string> {
  const account = await accountForEmail(app, email);
  const session = await startSession(app, requestTo(app, "/sign-in"), "link", () => ({ account }));
  return session.cookies[0] ?? "";
}

/** The expected error response for a code; any message matches unless one is given. */
export const errorAnswer = (code: ErrorCode, message: unknown = expect.any(String)) => ({
  status: ERRORS[code][0],
  body: {
    error: {
      code,
      message,
      docsUrl: `http://localhost:3000/docs/errors#${code}`,
      ...((code === "rate_limited" || LIMIT_OF[code]) && { budget: expect.any(String) }),
      ...(code === "invalid_request" && { param: expect.toBeOneOf([null, expect.any(String)]) }),
    },
  },
});
