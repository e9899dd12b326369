import { expect } from "vitest";
import { openClaim, poll } from "../support/deed.ts";
import { contract, newName } from "./kit.ts";
import { says } from "./sentences.ts";

const { it, target } = contract({
  CHALLENGE_LABEL: "_acme-proof",
  TOKEN_PREFIX: "acme-",
  FIRST_READ_SECONDS: "1",
});

it(says("C21.5"), async ({ client }) => {
  const name = newName();
  const claim = await openClaim(client, name);
  expect(claim.name).toBe(`_acme-proof.${name}`);
  expect(claim.token).toMatch(/^acme-[0-9a-f]{40}$/);
});

it(`${says("C1.1", "C9.1", "C9.10")}, without a forced run`, async ({ client, stranger }) => {
  const { zone } = await target().countedZone();
  const claim = await openClaim(client, zone);
  await client.expect(204, "POST", `/api/claims/${claim.id}/waiting`);
  const path = `/api/verifications/${claim.verificationId}`;
  const first = await poll(client, path, ({ lastRunAt }) => lastRunAt !== null);
  target().publishRecord(zone, claim.name, claim.token);
  const { status, lastRunAt } = await poll(client, path, ({ status }) => status === "proved");
  expect([status, String(lastRunAt) < String(first.nextRunAt)]).toEqual(["proved", true]);
  const { attempts } = await client.expect<{ attempts: object[] }>(200, "GET", `${path}/attempts`);
  // Glances are not attempts.
  expect(attempts).toMatchObject([{ trigger: "scheduled" }, { trigger: "first_check" }]);
  const { slug } = await client.expect(201, "POST", `/api/claims/${claim.id}/proof_links`);
  expect((await stranger.get(`/api/proofs/${slug}`)).body).toMatchObject({ domain: zone });
});
