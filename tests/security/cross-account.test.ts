import { describe, expect, it } from "vitest";
import { ENDPOINTS } from "#app/endpoints.server.ts";
import { targetService } from "../contract/kit.ts";
import { says } from "../contract/sentences.ts";
import type { Answer } from "../support/deed.ts";
import { bodyOf, ownerOfEverything, pagesWith, paramsOf, pathTo } from "../support/owned.ts";

const target = targetService();

const IDENTIFIED = ENDPOINTS.filter(
  ({ session, path }) => session === true && /:(id|slug)/.test(path),
);
const FORMS: Record<string, Record<string, string>[]> = {
  "domains.$id.tsx": [
    ...["claim", "unarchive", "check", "cancel", "hand-over", "mail", "take-back", "publish"],
  ].map((intent) => ({ intent, email: "kim@example.net" })),
  "account.keys.$id.tsx": [{ intent: "rotate" }, { intent: "confirm" }],
  "account.webhooks.$id._index.tsx": [{ intent: "rotate" }, { intent: "test" }],
  "domains.$id_.revoke.tsx": [{ slug: "none" }],
};
const ODD = ["%00", "%0A", "..%2F..", "%E2%80%AE", "a".repeat(254), "__proto__"];

const nobodys = (id: string) => id.slice(0, -6) + (id.endsWith("000000") ? "111111" : "000000");

/** Everything in a response except what varies: the date, its own id, the page's nonce, and the requested id. */
const bytesOf = (answer: Answer, id: string) => ({
  status: answer.status,
  headers: [...answer.headers]
    .filter(([name]) => name !== "date" && name !== "x-request-id")
    .map(([name, value]) => [name, value.replace(/'nonce-[^']+'/, "'nonce'")]),
  text: answer.text.replaceAll(/nonce="[^"]+"/g, 'nonce=""').replaceAll(id, "<id>"),
});

async function expectSame(
  label: string,
  theirs: string,
  others: string[],
  ask: (id: string) => Promise<Answer>,
): Promise<void> {
  const answer = bytesOf(await ask(theirs), theirs);
  expect([label, answer.status]).toEqual([label, 404]);
  for (const other of others)
    expect([label, other, bytesOf(await ask(other), other)]).toEqual([label, other, answer]);
}

describe("an id of another account", () => {
  it(`is answered like an unknown one, byte for byte, at every entry of the endpoint table. ${says("C12.9")}`, async () => {
    const theirs = await ownerOfEverything(target());
    const { client, slug, ...mine } = await ownerOfEverything(target());
    const own = paramsOf({ client, slug, ...mine }, { path: "/api/claims/:id/proof_links" });
    expect(IDENTIFIED.length).toBeGreaterThanOrEqual(15);
    for (const endpoint of IDENTIFIED) {
      const json = bodyOf(theirs, endpoint);
      const ask = (id: string) =>
        client.request(endpoint.method, pathTo(theirs, endpoint, { id }), { json });
      const { id = "" } = paramsOf(theirs, endpoint);
      await expectSame(`${endpoint.method} ${endpoint.path}`, id, [nobodys(id), ...ODD], ask);
    }
    const { id: domainId = "" } = paramsOf(theirs, { path: "/api/domains" });
    const both = [nobodys(domainId)];
    const open = (id: string) => client.post("/api/claims", { domainId: id });
    await expectSame("POST /api/claims", domainId, both, open);
    const list = (id: string) => client.get(`/api/claims?domainId=${id}`);
    await expectSame("GET /api/claims", domainId, both, list);
    const revoke = (link: string) =>
      client.post(`/api/claims/${own.id}/proof_links/${link}/revoke`);
    await expectSame("another's link, a claim of one's own", theirs.slug, [nobodys(slug)], revoke);
    expect((await target().stranger().get(`/api/proofs/${theirs.slug}`)).status).toBe(200);
  });

  it("is answered like an unknown one, at every page and form", async () => {
    const theirs = await ownerOfEverything(target());
    const { client } = await ownerOfEverything(target());
    const pages = pagesWith(/requireSession\(|accountLoader/).filter(({ path }) =>
      /:id/.test(path),
    );
    expect(pages.length).toBeGreaterThan(7);
    for (const { file, path } of pages) {
      const { id = "" } = paramsOf(theirs, { path });
      const at = (other: string) => pathTo(theirs, { path }, { id: other });
      const route = encodeURIComponent(`routes/${file.slice(0, -4)}`);
      const index = file.endsWith("_index.tsx") ? "?index" : "";
      const asks: [string, (id: string) => Promise<Answer>][] = [
        [path, (other) => client.get(at(other))],
        [`${path} as data`, (other) => client.get(`${at(other)}?_data=${route}`)],
      ];
      for (const fields of FORMS[file] ?? [{}])
        asks.push([`${path}, posted`, (other) => client.submit(at(other) + index, fields)]);
      for (const [label, ask] of asks) await expectSame(label, id, [nobodys(id)], ask);
    }
  });
});
