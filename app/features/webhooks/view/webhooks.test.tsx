import { renderToStaticMarkup } from "react-dom/server";
import { createMemoryRouter, RouterProvider } from "react-router-dom";
import { expect, it, vi } from "vitest";
import { call, signedIn } from "#app/api/testing.ts";
import { htmlOf } from "#app/core/testing/html.tsx";
import { requestTo, testApp } from "#app/features/sign-in/testing.ts";
import DeliveryPage, { loader } from "#app/routes/account.webhooks.$id.deliveries.$delivery.tsx";
import { WebhookForm } from "./webhooks.tsx";

it("says of a form without an event that one must be ticked, and nothing of its address", () => {
  const html = (events: string[]) => {
    const typed = { url: "https://hooks.example.org/", events };
    const form = { typed, error: 'The field "events" is not valid: Too small.', children: null };
    return htmlOf(<WebhookForm {...form} />);
  };
  expect(html([])).toMatch(/<details class="fold" open="">.*Tick at least one event\./);
  expect(html([])).not.toMatch(/Too small|aria-invalid/);
  expect(html(["claim.proved"])).toMatch(/aria-invalid.*Too small/);
});

it("shows a delivery in the webhook's present format, without saying that it was posted so", async () => {
  const app = testApp();
  const cookie = await signedIn(app, "mara@acme.com");
  const send = async (method: string, path: string, json?: object) =>
    (await call(app, method, `/api/webhooks${path}`, { cookie, json })).body as { id: string };
  const { id } = await send("POST", "", { url: "https://hooks.example.org/" });
  const { id: delivery } = await send("POST", `/${id}/test`);
  await send("PATCH", `/${id}`, { kind: "slack" });
  const request = requestTo(app, "/", { cookie });
  const data = await loader({ request, context: {}, params: { id, delivery } });
  // It warns of layout effects, which routers use in browsers.
  vi.spyOn(console, "error").mockImplementation(() => {});
  const page = { id: "page", path: "*", element: <DeliveryPage /> };
  const router = createMemoryRouter([page], { hydrationData: { loaderData: { page: data } } });
  const html = renderToStaticMarkup(<RouterProvider router={router} />);
  vi.restoreAllMocks();
  expect(html).toMatch(/<h2[^>]*>What Deed posts<.*unfurl_links/s);
});
