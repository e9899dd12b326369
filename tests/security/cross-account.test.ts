import { describe, expect, it } from "vitest";
import { ENDPOINTS } from "#app/endpoints.server.ts";
import { targetService } from "../contract/kit.ts";
import type { Answer, Client } from "../support/client.ts";
import { type Owned, ownerOfEverything } from "./owned.ts";

const target = targetService();

/** Endpoints that need a session and take an account's id, with the parameters filled in. */
const PATHS = ENDPOINTS.filter(
  ({ session, path }) => session === true && /:(id|slug)/.test(path),
).map(({ method, path }) => ({ method, path }));

const PAGES = [
  "/domains/:domain",
  "/domains/:domain/archive",
  "/domains/:domain/delete",
  "/claims/:claim",
  "/account/keys/:key",
  "/account/webhooks/:webhook",
  "/account/webhooks/:webhook/delete",
];
const FORMS: [string, Record<string, string>][] = [
  ["/domains/:domain", { intent: "claim" }],
  ["/domains/:domain", { intent: "unarchive" }],
  ["/domains/:domain/archive", {}],
  ["/domains/:domain/delete", {}],
  ["/account/keys/:key", { intent: "rotate" }],
  ["/account/keys/:key", { intent: "revoke" }],
  ["/account/webhooks/:webhook?index", { intent: "rotate" }],
  ["/account/webhooks/:webhook?index", { intent: "test" }],
  ["/account/webhooks/:webhook/delete", {}],
  ["/claims/:claim", { intent: "check" }],
  ["/claims/:claim", { intent: "cancel" }],
  ["/claims/:claim", { intent: "hand-over" }],
  ["/claims/:claim", { intent: "take-back" }],
  ["/claims/:claim", { intent: "publish" }],
];

const kindOf = (path: string): keyof Owned => {
  const starts = { session: "/api/account/sessions", person: "/api/people" };
  const kinds = [
    ...["domain", "claim", "verification", "notice", "session", "person", "invitation"],
    ...["key", "webhook"],
  ];
  const kind = (kinds as (keyof Owned)[]).find((one) =>
    path.startsWith(starts[one as keyof typeof starts] ?? `/api/${one}s`),
  );
  if (!kind) throw new Error(`whose id does ${path} take?`);
  return kind;
};

/** A well-formed id that does not exist. */
const nobodys = (id: string) => id.slice(0, -6) + (id.endsWith("000000") ? "111111" : "000000");

/** Everything in a response except what varies: the date, the page's nonce, and the requested id. */
const bytesOf = (answer: Answer, id: string) => ({
  status: answer.status,
  headers: [...answer.headers]
    .filter(([name]) => name !== "date")
    .map(([name, value]) => [name, value.replace(/'nonce-[^']+'/, "'nonce'")]),
  text: answer.text.replaceAll(/nonce="[^"]+"/g, 'nonce=""').replaceAll(id, "<id>"),
});

async function expectSame(
  client: Client,
  ids: { theirs: string; missing: string },
  ask: (id: string) => Promise<Answer>,
  label: string,
): Promise<void> {
  const [theirs, missing] = [await ask(ids.theirs), await ask(ids.missing)];
  expect([label, bytesOf(theirs, ids.theirs)]).toEqual([label, bytesOf(missing, ids.missing)]);
  expect([label, theirs.status]).toEqual([label, 404]);
  expect((await client.get("/api/account")).status).toBe(200);
}

describe("an id of another account", () => {
  it("is answered like an unknown one, byte for byte, at every entry of the endpoint table", async () => {
    const { owned } = await ownerOfEverything(target());
    const { client, owned: mine } = await ownerOfEverything(target());
    expect(PATHS.length).toBeGreaterThanOrEqual(15);
    for (const { method, path } of PATHS) {
      const kind = kindOf(path);
      const ids = { theirs: owned[kind], missing: nobodys(owned[kind]) };
      const slugs = path.includes(":slug") ? [owned.slug, nobodys(owned.slug), mine.slug] : [""];
      for (const slug of slugs) {
        const ask = (id: string) =>
          client.request(method, path.replace(":id", id).replace(":slug", slug));
        await expectSame(client, ids, ask, `${method} ${path}`);
      }
    }
    const foreignDomain = (id: string) => client.post("/api/claims", { domainId: id });
    const ids = { theirs: owned.domain, missing: nobodys(owned.domain) };
    await expectSame(client, ids, foreignDomain, "POST /api/claims");
    const listed = await client.get(`/api/claims?domainId=${owned.domain}`);
    expect(bytesOf(listed, owned.domain)).toEqual(
      bytesOf(await client.get(`/api/claims?domainId=${ids.missing}`), ids.missing),
    );
    const revoke = (slug: string) =>
      client.post(`/api/claims/${mine.claim}/proof_links/${slug}/revoke`);
    await expectSame(
      client,
      { theirs: owned.slug, missing: nobodys(owned.slug) },
      revoke,
      "revoking another account's link on a claim of one's own",
    );
  });

  it("is answered like an unknown one, at every page and form", async () => {
    const { owned } = await ownerOfEverything(target());
    const { client } = await ownerOfEverything(target());
    const idsOf = (path: string) => {
      const kind = (["claim", "key", "webhook"] as const).find((one) => path.includes(`:${one}`));
      const id = owned[kind ?? "domain"];
      return { theirs: id, missing: nobodys(id) };
    };
    for (const page of PAGES) {
      const at = (id: string) => page.replace(/:\w+/, id);
      await expectSame(client, idsOf(page), (id) => client.get(at(id)), page);
      if (page.includes(":webhook")) continue;
      const route = `routes/${page.slice(1).replace("/:claim", ".$id").replace("/keys/:key", ".keys.$id").replace("/:domain/", ".$id_.").replace("/:domain", ".$id")}`;
      const data = (id: string) => client.get(`${at(id)}?_data=${encodeURIComponent(route)}`);
      await expectSame(client, idsOf(page), data, `${page} as data`);
    }
    for (const [path, fields] of FORMS) {
      const post = (id: string) =>
        client.request("POST", path.replace(/:\w+/, id), {
          body: String(new URLSearchParams(fields)),
          headers: { "content-type": "application/x-www-form-urlencoded", Origin: target().url },
        });
      await expectSame(client, idsOf(path), post, `${path} ${fields.intent ?? ""}`);
    }
  });
});
