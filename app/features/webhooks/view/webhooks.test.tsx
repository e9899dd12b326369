import { expect, it } from "vitest";
import { htmlOf } from "#app/core/testing/html.tsx";
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
