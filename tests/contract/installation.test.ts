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
  await target().prove(client, "acme.com");
});

it(`${says("C1.1", "C9.1")}, without a forced run`, async ({ client }) => {
  const claim = await openClaim(client, "globex.com");
  target().publishRecord("globex.com", claim.name, claim.token);
  const path = `/api/claims/${claim.id}`;
  const proved = await poll(client, path, ({ state }) => state !== "pending");
  expect(proved).toMatchObject({ state: "proved", records: [] });
  const { attempts } = await client.expect<{ attempts: object[] }>(
    200,
    "GET",
    `/api/verifications/${claim.verificationId}/attempts`,
  );
  expect(attempts.at(-1)).toMatchObject({ trigger: "first_check", outcome: "found" });
  const { slug } = await client.expect(201, "POST", `${path}/proof_links`);
  const shared = await target().stranger().get(`/api/proofs/${slug}`);
  expect(shared.body).toMatchObject({ domain: "globex.com", provedAt: proved.endedAt });
});
