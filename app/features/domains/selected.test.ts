import { foundAt } from "@deed/dns/testing/readings.ts";
import { expect, test } from "vitest";
import { callEndpoint } from "#app/api/dispatch.server.ts";
import { call, signedIn } from "#app/api/testing.ts";
import { accountForEmail } from "#app/core/testing/accounts.ts";
import { proveDomain } from "#app/features/by-name/api.server.ts";
import { cancelClaim, listClaims, openClaim } from "#app/features/claims/claims.server.ts";
import { requestTo, testApp } from "#app/features/sign-in/testing.ts";
import { action } from "#app/routes/domains.$id.tsx";
import { claims } from "#db/schema.ts";
import { addDomain, deleteDomain, listDomains } from "./domains.server.ts";
import type { Domain } from "./resources.ts";
import { actOnSelected } from "./selected.server.ts";

/** An account with so many domains, and the result of sending the list's form with some ids. */
async function listOf(count: number) {
  const app = testApp();
  const cookie = await signedIn(app, "mara@acme.com");
  const { id: accountId } = await accountForEmail(app, "mara@acme.com");
  const ids: string[] = [];
  for (let index = 0; index < count; index++)
    ids.push((await addDomain(app, accountId, `n${index}.example`)).domain.id);
  const press = (asked: Record<string, string>, ticked = ids) => {
    const form = new URLSearchParams(asked);
    for (const id of ticked) form.append("id", id);
    const request = requestTo(app, "/", { method: "POST", cookie });
    const watch = (domain: Domain) =>
      callEndpoint(proveDomain, request, { params: { name: domain.name }, body: { watch: true } });
    return actOnSelected(app, request, accountId, form, watch);
  };
  return { app, accountId, cookie, ids, press };
}

test("every ticked domain of the longest page is acted on, and no more are taken", async () => {
  const { app, accountId, ids, press } = await listOf(60);
  const confirmed = { intent: "confirm", act: "archive" };
  const { results } = await press(confirmed);
  expect(results?.filter(({ problem }) => problem === null)).toHaveLength(60);
  expect((await listDomains(app, accountId, { limit: 100 })).domains).toEqual([]);
  const tooMany = Array.from({ length: 401 }, (_, index) => `${ids[0]}${index}`);
  const refused = { code: "invalid_request", message: "Tick at most 400 domains." };
  await expect(press(confirmed, tooMany)).rejects.toMatchObject(refused);
});

test("an open claim is watched from its proof on, and a domain without a claim is refused", async () => {
  const { app, ids, press } = await listOf(2);
  await press({ intent: "prove" }, ids.slice(0, 1));
  const { results } = await press({ intent: "watch" });
  const message = "it has no proof or open claim, so it cannot be watched";
  expect(results).toMatchObject([
    { problem: null },
    { problem: { code: "claim_not_proved", message } },
  ]);
  expect(app.db.select({ wish: claims.watchProof }).from(claims).all()).toEqual([{ wish: true }]);
});

test("a domain that was deleted meanwhile stops none of the others", async () => {
  const { app, accountId, ids, press } = await listOf(3);
  const [gone = "", ...others] = ids;
  await deleteDomain(app, accountId, gone);
  const asked = await press({ intent: "archive" });
  expect(asked.selected.map(({ domain }) => domain.id)).toEqual(others);
  const { results } = await press({ intent: "confirm", act: "archive" });
  expect(results).toMatchObject([
    {
      id: gone,
      name: gone,
      problem: { message: "There is no such domain on this account." },
    },
    { name: "n1.example", reference: "", problem: null },
    { name: "n2.example", problem: null },
  ]);
  const none = press({ intent: "archive" }, [gone]);
  await expect(none).rejects.toMatchObject({ code: "domain_not_found" });
});

test("a form drawn before a proof opens no claim after it", async () => {
  const { app, accountId, cookie, ids } = await listOf(1);
  const [id = ""] = ids;
  const canceled = await openClaim(app, accountId, id);
  await cancelClaim(app, accountId, canceled.id);
  const proved = await openClaim(app, accountId, id);
  app.reader.readChallenge = async (question) => foundAt(question, app.clock());
  await call(app, "POST", `/api/verifications/${proved.verificationId}/runs`, { cookie });
  const again = (claim: string) => {
    const body = new URLSearchParams({ intent: "claim", claim });
    const headers = { Origin: new URL(app.settings.baseUrl).origin };
    const request = requestTo(app, `/domains/${id}`, { method: "POST", cookie, headers, body });
    return action({ request, params: { id }, context: {} });
  };
  await again(canceled.id);
  const count = async () => (await listClaims(app, accountId, { domainId: id })).claims.length;
  expect(await count()).toBe(2);
  await again(proved.id);
  expect(await count()).toBe(3);
});
