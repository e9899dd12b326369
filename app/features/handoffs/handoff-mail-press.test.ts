import { expect, test } from "vitest";
import { personOf } from "#app/core/testing/accounts.ts";
import { claimed, testService } from "#app/core/testing/service.ts";
import { testApp } from "#app/features/sign-in/testing.ts";
import { mailHandoff } from "./handoff-mails.server.ts";
import { handoffOfClaim } from "./handoffs.server.ts";

const failing = (code: string) => expect.objectContaining({ code });

test("C16.12, C16.13: a hand-off's mail goes to one address, five a day an account", async () => {
  const app = testApp();
  const { account, claim } = await claimed({ ...testService(), ctx: app }, "mara@acme.com");
  const request = new Request("http://localhost:3000/domains/x", { method: "POST" });
  const mail = (to: string) => mailHandoff(app, request, personOf(account), claim.id, to);
  const shared = () => handoffOfClaim(app, claim);
  for (const typed of ["", "kim@example", "kim@example.net\r\nBcc: eve@example.org"])
    await expect(mail(typed), typed).rejects.toEqual(failing("invalid_request"));
  expect(shared()).toBeNull();
  for (const typed of [" Kim@Example.net", "kim@example.net", "lee@example.net"]) await mail(typed);
  expect(app.mails.map(({ to }) => to)).toEqual(["kim@example.net", "lee@example.net"]);
  const [first] = app.mails;
  expect(first?.text).toContain(shared()?.url);
  expect(first?.text.replaceAll("\n", " ")).toContain("mara@acme.com asks you to add");
  expect(first?.headers?.["List-Unsubscribe"]).toMatch(/^<http:\/\/localhost:3000\/m\/\w{26}>$/);
  for (const typed of ["a@example.net", "b@example.net"]) await mail(typed);
  await expect(mail("c@example.net")).rejects.toEqual(failing("rate_limited"));
  expect(app.mails).toHaveLength(4);
});
