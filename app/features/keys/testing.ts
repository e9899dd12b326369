import { expect } from "vitest";
import { type Asked, call } from "#app/api/testing.ts";
import type { TestApp } from "#app/features/sign-in/testing.ts";

export const SCOPES = ["zones:read", "domains:read", "domains:write", "webhooks:manage"];
export const EVERYTHING = { name: "CI", scopes: SCOPES };

type Json = Record<string, unknown>;
/** A key as the API answers it when it is made or rotated. */
export type Made = Json & { id: string; key: string };

export const make = (app: TestApp, cookie: string, json: Json = EVERYTHING) =>
  call(app, "POST", "/api/keys", { cookie, json });

export async function madeBy(app: TestApp, cookie: string, json?: Json): Promise<Made> {
  const { status, body } = await make(app, cookie, json);
  expect(status).toBe(201);
  return body as Made;
}

export const rotated = async (app: TestApp, cookie: string, { id }: { id: string }) =>
  (await call(app, "POST", `/api/keys/${id}/rotate`, { cookie })).body as Made;

/** A call with the key. */
export const by = (key: string, asked: Asked = {}): Asked => ({
  ...asked,
  headers: { ...asked.headers, Authorization: `Bearer ${key}` },
});

export const iso = (ms: number) => new Date(ms).toISOString();
