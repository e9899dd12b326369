import { expect, it } from "vitest";
import { requestTo, testApp } from "#app/features/sign-in/testing.ts";
import { publicAction } from "./page.server.ts";

async function press(intent: string) {
  const app = testApp();
  const form = { method: "POST", body: new URLSearchParams({ intent }) };
  const headers = { Origin: new URL(app.settings.baseUrl).origin };
  const request = requestTo(app, "/page", { ...form, headers });
  const intents = { go: async () => "/place", show: async () => ({ shown: true }) };
  return (await publicAction({ request, params: {}, context: {} }, intents)) as Response;
}

it("does what the form asks for: leads on, or answers with data", async () => {
  const led = await press("go");
  expect([led.status, led.headers.get("Location")]).toEqual([303, "/place"]);
  expect(await (await press("show")).json()).toEqual({ shown: true });
});

it.each(["", "other", "constructor", "__proto__", "toString"])("refuses %j", async (intent) => {
  const refused = await press(intent);
  expect(refused.status).toBe(400);
  expect(await refused.json()).toMatchObject({ problem: { code: "invalid_request" } });
});
