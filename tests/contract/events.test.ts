import { describe, expect, onTestFinished } from "vitest";
import * as z from "zod";
import type { Client } from "../support/deed.ts";
import { openClaim } from "../support/deed.ts";
import { type Followed, followEvents, frames } from "../support/stream.ts";
import { contract, expectError, newName, shaped } from "./kit.ts";
import { says } from "./sentences.ts";

const { it, target } = contract();

async function follow({ cookie }: Client): Promise<Followed> {
  const stream = await followEvents(target().url, { cookie });
  onTestFinished(stream.leave);
  return stream;
}

const until = (done: () => boolean) => expect.poll(done).toBe(true);

// C14.2
const types = (text: string) => frames(text).map(({ data }) => (data as { type: string }).type);

describe("changes", () => {
  it(says("C14.1", "C14.3", "C14.7"), async ({ client }) => {
    const stream = await follow(client);
    expect(stream.headers.get("content-type")).toMatch(/^text\/event-stream/);
    expect(stream.headers.get("cache-control")).toBe("no-cache, no-transform");
    expect(stream.headers.get("content-encoding")).toBeNull();
    const claim = await target().prove(client, "acme.com");
    const path = `/api/claims/${claim.id}/proof_links`;
    const { slug } = (await client.post(path)).body as { slug: string };
    await client.post(`${path}/${slug}/revoke`);
    await client.post(`/api/domains/${claim.domainId}/archive`);
    await client.post(`/api/domains/${claim.domainId}/unarchive`);
    await client.delete(`/api/domains/${claim.domainId}`);
    await until(() => types(stream.text).includes("domain.deleted"));
    const seen = types(stream.text);
    expect(seen[0]).toBe("domain.created");
    const whats = `domain.created claim.opened verification.ran claim.ended notice.created domain.archived
      proof_link.issued proof_link.revoked domain.unarchived domain.holds
      domain.no_longer_holds domain.deleted`;
    expect(new Set(seen)).toEqual(new Set(whats.split(/\s+/)));
    const ran = frames(stream.text).find(
      ({ data }) => (data as { type: string }).type === "verification.ran",
    );
    expect(ran).toEqual({
      event: null,
      id: expect.stringMatching(/^[\w-]{22}$/),
      data: {
        type: "verification.ran",
        verificationId: claim.verificationId,
        claimId: claim.id,
      },
    });
  });
});

describe("the list of past changes", () => {
  const EventPage = z.strictObject({
    events: z.array(z.looseObject({ id: z.string(), type: z.string() })),
    nextCursor: z.string(),
    reset: z.boolean(),
  });
  const list = async (client: Client, query = "") =>
    shaped(await client.get(`/api/events/list${query}`), 200, EventPage);

  it(says("C14.11"), async ({ client }) => {
    const before = await list(client);
    expect(before).toMatchObject({ events: [], reset: false });
    const stream = await follow(client);
    const claim = await openClaim(client, newName());
    await client.post(`/api/claims/${claim.id}/cancel`);
    await until(() => types(stream.text).includes("claim.ended"));
    const streamed = frames(stream.text).flatMap(({ id, data }) => (data ? [{ id, ...data }] : []));
    expect(streamed).toHaveLength(3);
    const all = await list(client);
    expect(all).toMatchObject({ events: streamed, reset: false });
    expect(await list(client, `?after=${before.nextCursor}`)).toEqual(all);
    const first = await list(client, "?limit=2");
    expect(first.events).toEqual(all.events.slice(0, 2));
    const rest = await list(client, `?after=${first.nextCursor}`);
    expect(rest.events).toEqual(all.events.slice(2));
    expect(await list(client, `?after=${all.events[0]?.id}`)).toMatchObject({
      events: all.events.slice(1),
    });
    expect(await list(client, `?after=${rest.nextCursor}`)).toEqual({ ...rest, events: [] });
    for (const query of ["?limit=0", "?limit=101", "?after=", "?cursor=x"])
      expectError(await client.get(`/api/events/list${query}`), "invalid_request");
  });
});
