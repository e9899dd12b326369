import { expect, test } from "vitest";
import { htmlOf } from "#app/core/testing/html.tsx";
import { claimed } from "#app/core/testing/service.ts";
import { claimScreen } from "../../claim-page/claim-screen.server.ts";
import { HandoffFold } from "./handoff-form.tsx";

const TYPED = { title: "", requestedFor: "", returnUrl: "https://elsewhere.example/", email: "" };
const handoff = { shared: null, qr: null, you: "maria@example.org", mailed: null };

test.each([
  ["origin_not_registered", undefined, "returnUrl"],
  ["invalid_request", "requestedFor", "requestedFor"],
  ["rate_limited", undefined, null],
])("a page refused for %s says so at the field, if one is at fault", async (code, param, field) => {
  const { ctx, account, claim } = await claimed();
  const screen = await claimScreen(ctx, account.id, claim.id, {});
  const result = { problem: { code, message: 'The field "x" was refused.', param }, shared: TYPED };
  const html = htmlOf(<HandoffFold handoff={handoff} screen={screen} result={result} />);
  expect(html.match(/[^>]*was refused\./g)).toEqual([
    field === null ? "The field &quot;x&quot; was refused." : "This was refused.",
  ]);
  const marked = [...html.matchAll(/name="(\w+)"[^>]* aria-invalid="true"/g)];
  expect(marked.map(([, name]) => name)).toEqual(field === null ? [] : [field]);
  expect(html.includes('role="alert"')).toBe(field === null);
});
