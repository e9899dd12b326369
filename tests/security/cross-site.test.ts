import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ENDPOINTS } from "#app/endpoints.server.ts";
import { ADMIN, expectError, targetService } from "../contract/kit.ts";
import { Ledger } from "../support/ledger.ts";
import { bodyOf, type Owned, ownerOfEverything, pagesWith, pathTo } from "../support/owned.ts";

const target = targetService();
let owned: Owned;
let ledger: Ledger;
beforeAll(async () => {
  owned = await ownerOfEverything(target(), ADMIN);
  ledger = new Ledger(target().own.service);
});
afterAll(() => ledger.close());

type Headers = Record<string, string>;
const FORM = "application/x-www-form-urlencoded";
const MULTIPART = "multipart/form-data; boundary=x";

/** Headers of writes that another site can make a browser send; app/http/connection.test.ts has more. */
function foreign(): Headers[] {
  return [
    { Origin: "https://evil.example" },
    { Origin: "null" },
    { "Sec-Fetch-Site": "cross-site" },
    { "Sec-Fetch-Site": "same-site", Origin: target().url },
  ];
}

/** Expects that every foreign write, and every type of body that it does not accept, changes nothing. */
async function expectNoChange(
  at: string,
  send: (headers: Headers) => ReturnType<Owned["client"]["request"]>,
  types: string[],
) {
  const [before, { cookie }] = [ledger.read(), owned.client];
  const refused = await Promise.all(foreign().map((headers) => send(headers)));
  const misread = await Promise.all(types.map((type) => send({ "content-type": type })));
  expect([at, ...[...refused, ...misread].map(({ status }) => status)]).toEqual([
    at,
    ...refused.map(() => 403),
    ...misread.map(() => 415),
  ]);
  for (const answer of refused) expect(answer.headers.getSetCookie()).toEqual([]);
  expect([at, ledger.read(), owned.client.cookie]).toEqual([at, before, cookie]);
  return refused;
}

const writes = ENDPOINTS.filter(({ method }) => method !== "GET");
/** The page for other addresses writes nothing; the page that checks receipts is tested below. */
const forms = pagesWith(/export (?:async function|function|const) action\b/).filter(
  ({ file }) => !["$.tsx", "verify.tsx"].includes(file),
);

describe("a write from another site", () => {
  it("changes nothing, at any entry of the endpoint table", async () => {
    expect(writes.length).toBeGreaterThan(30);
    for (const endpoint of writes) {
      const { method, path } = endpoint;
      const body = JSON.stringify(bodyOf(owned, endpoint) ?? {});
      const send = (headers: Headers) =>
        owned.client.request(method, pathTo(owned, endpoint), {
          body,
          headers: { "content-type": "application/json", ...headers },
        });
      const types = ["text/plain", FORM, MULTIPART];
      const refused = await expectNoChange(`${method} ${path}`, send, types);
      for (const answer of refused) expectError(answer, "cross_origin");
    }
  });

  it("gets no receipt checked, which changes nothing anyway", async () => {
    const body = '--x\r\nContent-Disposition: form-data; name="receipt"\r\n\r\nx\r\n--x--\r\n';
    const post = (headers: Headers) =>
      target().stranger().request("POST", "/verify", { headers, body });
    for (const headers of foreign())
      expect((await post({ ...headers, "content-type": MULTIPART })).status).toBe(403);
    const own = { Origin: target().url, "content-type": MULTIPART };
    expect((await post(own)).status).not.toBe(403);
    expect((await post({ ...own, "content-type": FORM })).status).toBe(415);
  });

  it("changes nothing, at any form of a page", async () => {
    expect(forms.length).toBeGreaterThan(20);
    for (const { file, path } of forms) {
      const at = `${pathTo(owned, { path })}${/_index\.tsx$/.test(file) ? "?index" : ""}`;
      // Pages to sign in send signed-in people away.
      const client = file.startsWith("sign-in.") ? target().stranger() : owned.client;
      const send = (headers: Headers) =>
        client.request("POST", at, {
          body: "intent=confirm",
          headers: { "content-type": FORM, ...headers },
        });
      await expectNoChange(file, send, ["text/plain", "application/json", MULTIPART]);
    }
  });
});
