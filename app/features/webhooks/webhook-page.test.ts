import { expect, it } from "vitest";
import { call, signedIn } from "#app/api/testing.ts";
import { requestTo, testApp } from "#app/features/sign-in/testing.ts";
import { action } from "#app/routes/account.webhooks.$id._index.tsx";

/** A webhook, and what its page answers to a form. */
async function webhookPage(url: string) {
  const app = testApp();
  const cookie = await signedIn(app, "mara@acme.com");
  const { body } = await call(app, "POST", "/api/webhooks", { cookie, json: { url } });
  const { id } = body as { id: string };
  const headers = { Origin: new URL(app.settings.baseUrl).origin };
  const send = async (fields: Record<string, string>) => {
    const init = { method: "POST", body: new URLSearchParams(fields), cookie, headers };
    const request = requestTo(app, `/account/webhooks/${id}`, init);
    return (await action({ params: { id }, context: {}, request })) as Response;
  };
  return { app, cookie, id, send };
}

it("a secret is rotated once by two clicks, so that the one in use goes on signing", async () => {
  const { app, cookie, id, send } = await webhookPage("https://hooks.example.org/deed");
  const rotate = (until = "") => send({ intent: "rotate", until });
  expect((await rotate()).status).toBe(200);
  const again = await rotate();
  expect([again.status, (await again.json()).problem.message]).toEqual([
    400,
    expect.stringContaining("rotated after this page was opened, so nothing was changed"),
  ]);
  const { body } = await call(app, "GET", `/api/webhooks/${id}`, { cookie });
  expect((await rotate((body as { previousSecretUntil: string }).previousSecretUntil)).status).toBe(
    200,
  );
});
