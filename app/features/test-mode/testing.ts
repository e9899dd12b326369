import { expect } from "vitest";
import { call, signedIn } from "#app/api/testing.ts";
import type { TestMail } from "#app/core/context.server.ts";
import { accountForEmail } from "#app/core/testing/accounts.ts";
import { type CreatedKey, EVERYTHING, newKeyFor, withKey } from "#app/features/keys/testing.ts";
import { type TestApp, testApp } from "#app/features/sign-in/testing.ts";
import { testFile, worldOf } from "#db/test-file.ts";
import { copyMigrated } from "#db/testing.ts";

export type Json = Record<string, unknown>;
export type Proof = Json & { claim: Json & { id: string; verificationId: string }; domain: Json };
export const EMAIL = "mara@acme.com";
export const HOUR = 3_600;
export const DAY = 24 * HOUR;

/** A program with a test key of an account, and another with a real one. */
export async function startedWorld(app: TestApp = testApp(), email = EMAIL) {
  const cookie = await signedIn(app, email);
  const key = await newKeyFor(app, cookie, { ...EVERYTHING, test: true });
  copyMigrated(testFile(app.env.DATABASE_PATH, worldOf(key.id)));
  const realKey = await newKeyFor(app, cookie);
  const caller = (one: CreatedKey) => (method: string, path: string, json?: unknown) =>
    call(app, method, path, withKey(one.key, json === undefined ? {} : { json }));
  const test = caller(key);
  const ok = async <T = Json>(...asked: Parameters<typeof test>) => {
    const { status, body, text } = await test(...asked);
    expect([asked, status, text]).toEqual([asked, expect.toSatisfy((s) => s < 300), text]);
    return body as T;
  };
  const clock = (seconds: number) =>
    ok<{ now: string; mails: TestMail[] }>("POST", "/api/test/clock", { seconds });
  /** Repeats until the time is reached, because a call ends early on a slow machine. */
  const move = async (seconds: number) => {
    let at = await clock(0);
    const target = Date.parse(at.now) + seconds * 1_000;
    while (Date.parse(at.now) < target)
      at = await clock(Math.ceil((target - Date.parse(at.now)) / 1_000));
    return at;
  };
  const prove = (name: string, json: Json = {}) =>
    ok<Proof>("PUT", `/api/domains/by-name/${name}`, json);
  const { id: accountId } = await accountForEmail(app, email);
  return { app, cookie, key, accountId, test, real: caller(realKey), ok, move, prove };
}

/** Receives webhooks in place of the network. */
export function receiving(app: TestApp) {
  const posts: { at: string; type: string; headers: Record<string, string>; body: string }[] = [];
  app.outbound = {
    problem: () => null,
    call: async (asked) => {
      const [headers, body] = [asked.headers as Record<string, string>, String(asked.body)];
      const { type, timestamp: at } = JSON.parse(body);
      posts.push({ at, type, headers, body });
      return { status: 204, headers: {}, body: Buffer.alloc(0) };
    },
  };
  return posts;
}
