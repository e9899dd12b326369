import { describe, expect } from "vitest";
import { type Client, openClaim, poll } from "../support/deed.ts";
import { contract, expectError, newName } from "./kit.ts";
import { says } from "./sentences.ts";

const { it, target } = contract({ FIRST_READ_SECONDS: "1" });

type Shown = { lastRunAt: string | null; nextRunAt: string };

/** A claim on a zone of its own, of which somebody has said that they wait before its first read. */
async function waitedFor(client: Client) {
  const { zone } = await target().countedZone();
  const claim = await openClaim(client, zone);
  const path = `/api/verifications/${claim.verificationId}`;
  await client.expect(204, "POST", `/api/claims/${claim.id}/waiting`);
  const read = (await poll(client, path, (body) => body.lastRunAt !== null)) as Shown;
  return { zone, claim, path, nextRunAt: read.nextRunAt };
}

describe("while somebody waits", () => {
  it(says("C9.10"), async ({ client }) => {
    const { zone, claim, path, nextRunAt } = await waitedFor(client);
    expect(Date.parse(nextRunAt) - Date.now()).toBeGreaterThan(30_000);
    target().publishRecord(zone, claim.name, claim.token);
    const after = await poll(client, path, (body) => body.status === "proved");
    expect(after.status).toBe("proved");
    expect(String(after.lastRunAt) < nextRunAt).toBe(true);
    const { attempts } = (await client.get(`${path}/attempts`)).body as { attempts: object[] };
    // No glance is an attempt.
    expect(attempts).toMatchObject([{ trigger: "scheduled" }, { trigger: "first_check" }]);
  });
});

describe("a sign", () => {
  it(says("C9.11"), async ({ client, stranger }) => {
    const claim = await openClaim(client, newName());
    const { slug } = await client.expect(201, "POST", `/api/claims/${claim.id}/handoff`);
    const ofClaim = () => client.post(`/api/claims/${claim.id}/waiting`);
    const atHandoff = () => stranger.post(`/api/handoffs/${slug}/waiting`);
    for (const sign of [ofClaim, atHandoff]) expect((await sign()).status).toBe(204);
    await client.expect(200, "POST", `/api/claims/${claim.id}/cancel`);
    expectError(await ofClaim(), "claim_ended");
    expectError(await atHandoff(), "handoff_ended");
  });
});
