import type { ReactElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { createMemoryRouter, RouterProvider } from "react-router-dom";
import { vi } from "vitest";

/** The HTML of part of a page, without its scripts and styles. */
export function htmlOf(element: ReactElement): string {
  // It warns of layout effects, which routers use in browsers.
  vi.spyOn(console, "error").mockImplementation(() => {});
  const router = createMemoryRouter([{ path: "*", element }]);
  const html = renderToStaticMarkup(<RouterProvider router={router} />);
  vi.restoreAllMocks();
  return html.replace(/<(script|style)[\s\S]*?<\/\1>/g, "");
}
