import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { requestTo, testApp } from "#app/features/sign-in/testing.ts";
import { endedSessionOf, ResendForm } from "#app/ui/ended-session.tsx";
import { requireSession } from "./session.server.ts";

/** A page's answer to a form sent without a session. */
async function sent(fields: Record<string, string>, origin?: string) {
  const app = testApp();
  const body = new URLSearchParams(fields);
  const headers = { Origin: origin ?? new URL(app.settings.baseUrl).origin };
  const request = requestTo(app, "/domains?index", { method: "POST", body, headers });
  return requireSession(request).then(
    () => null,
    (thrown: Response) => thrown,
  );
}

it("keeps what was typed, and sends it again where it was sent", async () => {
  const answer = await sent({ intent: "claim", domain: 'a"<b>.example', days: "0", id: "dom_1" });
  expect(answer?.status).toBe(401);
  const error = { status: 401, statusText: "", internal: false, data: await answer?.json() };
  const ended = endedSessionOf(error);
  expect(ended?.typed).toEqual(['a"<b>.example']);
  const html = ended && renderToStaticMarkup(<ResendForm {...ended} />);
  for (const part of [
    'action="/domains?index"',
    'name="intent" value="claim"',
    'name="domain" value="a&quot;&lt;b&gt;.example"',
    "<bdi>a&quot;&lt;b&gt;.example</bdi>",
  ])
    expect(html).toContain(part);
});

it("leads to the sign-in page where nothing was typed, or another site sent it", async () => {
  for (const answer of [
    await sent({ intent: "archive", at: "1" }),
    await sent({ intent: "claim", domain: "acme.com" }, "https://elsewhere.example"),
  ]) {
    expect(answer?.status).toBe(303);
    expect(answer?.headers.get("Location")).toBe("/sign-in?next=%2Fdomains");
  }
});
