import { expect, onTestFinished } from "vitest";
import * as z from "zod";
import { followEvents } from "../support/stream.ts";
import { contract, expectError, shaped } from "./kit.ts";
import { says } from "./sentences.ts";

const { it, target } = contract();
const EventPage = z.strictObject({
  events: z.array(z.looseObject({ id: z.string(), type: z.string() })),
  nextCursor: z.string(),
  reset: z.boolean(),
});

// C14.2
it(says("C14.1", "C14.3", "C14.7", "C14.11"), async ({ client }) => {
  const list = async (query = "") =>
    shaped(await client.get(`/api/events/list${query}`), 200, EventPage);
  const before = await list();
  expect(before).toMatchObject({ events: [], reset: false });
  const stream = await followEvents(target().url, client.identity);
  onTestFinished(stream.leave);
  expect(stream.headers.get("content-type")).toMatch(/^text\/event-stream/);
  expect(stream.headers.get("cache-control")).toBe("no-cache, no-transform");
  expect(stream.headers.get("content-encoding")).toBeNull();
  const { claim, links, slug } = await target().publish(client, "acme.com");
  await client.post(`${links}/${slug}/revoke`);
  await client.post(`/api/domains/${claim.domainId}/archive`);
  await client.post(`/api/domains/${claim.domainId}/unarchive`);
  await client.delete(`/api/domains/${claim.domainId}`);
  const { heard } = stream;
  await expect.poll(() => heard.at(-1)?.type).toBe("domain.deleted");
  const [first, second, ...others] = heard;
  expect(first?.type).toBe("domain.created");
  const types = `domain.created claim.opened verification.ran claim.ended notice.created domain.archived
    proof_link.issued proof_link.revoked domain.unarchived domain.holds
    domain.no_longer_holds domain.deleted`;
  expect(new Set(heard.map(({ type }) => type))).toEqual(new Set(types.split(/\s+/)));
  const { id: claimId, verificationId } = claim;
  expect(others.find(({ type }) => type === "verification.ran")).toEqual({
    ...{ id: expect.stringMatching(/^[\w-]{22}$/), type: "verification.ran" },
    ...{ verificationId, claimId },
  });

  const all = await list();
  expect(all).toMatchObject({ events: heard, reset: false });
  expect(await list(`?after=${before.nextCursor}`)).toEqual(all);
  const { events, nextCursor } = await list("?limit=2");
  expect(events).toEqual([first, second]);
  const rest = await list(`?after=${nextCursor}`);
  expect(rest.events).toEqual(others);
  expect((await list(`?after=${first?.id}`)).events).toEqual([second, ...others]);
  expect(await list(`?after=${rest.nextCursor}`)).toEqual({ ...rest, events: [] });
  for (const query of ["?limit=0", "?limit=101", "?after=", "?cursor=x"])
    expectError(await client.get(`/api/events/list${query}`), "invalid_request");
});
