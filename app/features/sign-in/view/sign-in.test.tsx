import { renderToStaticMarkup } from "react-dom/server";
import { createMemoryRouter, RouterProvider } from "react-router-dom";
import { expect, it, vi } from "vitest";
import ConfirmPage from "#app/routes/sign-in.confirm.tsx";

it.each([
  [{ email: "ada@example.org" }, /You are signed in\..*>Your domains</],
  [null, /for 15 minutes\..*>Ask for a new link</],
])("a used link, opened by %j", (holder, words) => {
  // It warns of layout effects, which routers use in browsers.
  vi.spyOn(console, "error").mockImplementation(() => {});
  const confirm = { id: "confirm", path: "*", element: <ConfirmPage /> };
  const router = createMemoryRouter([{ id: "root", children: [confirm] }], {
    hydrationData: { loaderData: { root: { holder }, confirm: null } },
  });
  expect(renderToStaticMarkup(<RouterProvider router={router} />)).toMatch(words);
  vi.restoreAllMocks();
});
