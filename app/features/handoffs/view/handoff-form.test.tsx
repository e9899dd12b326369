import { renderToStaticMarkup } from "react-dom/server";
import { createMemoryRouter, RouterProvider } from "react-router-dom";
import { expect, test, vi } from "vitest";
import { claimed } from "#app/core/testing/service.ts";
import { claimScreen } from "../../claim-page/claim-screen.server.ts";
import { HandoffFold } from "./handoff-form.tsx";

const TYPED = { title: "", requestedFor: "", returnUrl: "https://elsewhere.example/", email: "" };
const handoff = { shared: null, qr: null, you: "maria@example.org", isSent: false };

test.each([
  ["origin_not_registered", 1],
  ["rate_limited", 0],
])("a page refused for %s says so at “Back to”, if that is at fault", async (code, marked) => {
  const { ctx, account, claim } = await claimed();
  const screen = await claimScreen(ctx, account.id, claim.id, {});
  // Routers warn of effects in their layout.
  vi.spyOn(console, "error").mockImplementation(() => {});
  const result = { problem: { code, message: "Refused." }, shared: TYPED };
  const element = <HandoffFold handoff={handoff} screen={screen} result={result} />;
  const router = createMemoryRouter([{ path: "*", element }]);
  const html = renderToStaticMarkup(<RouterProvider router={router} />);
  vi.restoreAllMocks();
  expect(html.match(/Refused\./g)).toHaveLength(1);
  expect(html.match(/name="returnUrl"[^>]* aria-invalid="true"/g) ?? []).toHaveLength(marked);
  expect(html.includes('role="alert"')).toBe(marked === 0);
});
