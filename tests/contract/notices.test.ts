import { expect } from "vitest";
import { NoticeList } from "#app/features/notices/resources.ts";
import { contract, expectError, shaped } from "./kit.ts";
import { says } from "./sentences.ts";

const { it, target } = contract();

it(says("C15.2"), async ({ client }) => {
  expect((await client.get("/api/notices")).body).toEqual({ notices: [], nextCursor: null });
  const first = await target().prove(client, "acme.com");
  const second = await target().prove(client, "hooli.com");
  const { notices, nextCursor } = shaped(await client.get("/api/notices/"), 200, NoticeList);
  expect(nextCursor).toBeNull();
  expect(notices).toMatchObject([
    { kind: "proved", claimId: second.id, domainId: second.domainId, readAt: null },
    { kind: "proved", claimId: first.id, domainId: first.domainId, readAt: null },
  ]);
  const page = shaped(await client.get("/api/notices?limit=1"), 200, NoticeList);
  expect(page.notices).toEqual(notices.slice(0, 1));
  const next = await client.get(`/api/notices?limit=1&cursor=${page.nextCursor}`);
  expect(shaped(next, 200, NoticeList)).toEqual({ notices: notices.slice(1), nextCursor: null });
  expectError(await client.get("/api/notices?cursor=nonsense"), "invalid_request");
  expectError(await client.get("/api/notices?limit=0"), "invalid_request");
});
