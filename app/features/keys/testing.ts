import { expect } from "vitest";
import { type CallFields, call } from "#app/api/testing.ts";
import type { TestApp } from "#app/features/sign-in/testing.ts";

export const SCOPES = ["zones:read", "domains:read", "domains:write", "webhooks:manage"];
export const EVERYTHING = { name: "CI", scopes: SCOPES };

type Json = Record<string, unknown>;
/** A key in the API's answer when it is made or rotated. */
export type CreatedKey = Json & { id: string; key: string };

export const postKey = (app: TestApp, cookie: string, json: Json = EVERYTHING) =>
  call(app, "POST", "/api/keys", { cookie, json });

export async function newKeyFor(app: TestApp, cookie: string, json?: Json): Promise<CreatedKey> {
  const { status, body } = await postKey(app, cookie, json);
  expect(status).toBe(201);
  return body as CreatedKey;
}

export const rotateKey = async (app: TestApp, cookie: string, { id }: { id: string }) =>
  (await call(app, "POST", `/api/keys/${id}/rotate`, { cookie })).body as CreatedKey;

export const withKey = (key: string, asked: CallFields = {}): CallFields => ({
  ...asked,
  headers: { ...asked.headers, Authorization: `Bearer ${key}` },
});
