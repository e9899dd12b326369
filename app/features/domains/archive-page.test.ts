import { expect, it } from "vitest";
import { signedIn } from "#app/api/testing.ts";
import { accountForEmail } from "#app/core/testing/accounts.ts";
import { requestTo, testApp } from "#app/features/sign-in/testing.ts";
import { action, loader } from "#app/routes/domains.$id_.archive.tsx";
import { addDomain } from "./domains.server.ts";

it("an archived domain's confirm page leads to the domain, and does not ask again", async () => {
  const app = testApp();
  const cookie = await signedIn(app, "mara@acme.com");
  const { id: accountId } = await accountForEmail(app, "mara@acme.com");
  const { id } = (await addDomain(app, accountId, "acme.com")).domain;
  const headers = { Origin: new URL(app.settings.baseUrl).origin };
  const argsOf = (init: RequestInit = {}) => ({
    ...{ params: { id }, context: {} },
    request: requestTo(app, `/domains/${id}/archive`, { ...init, cookie }),
  });
  expect(await loader(argsOf())).toMatchObject({ domain: { name: "acme.com" } });
  const body = new URLSearchParams({ intent: "confirm" });
  const sent = (await action(argsOf({ method: "POST", body, headers }))) as Response;
  expect(sent.headers.get("Location")).toBe(`/domains/${id}`);
  await expect(loader(argsOf())).rejects.toHaveProperty("status", 303);
});
