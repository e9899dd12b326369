import { expect, it } from "vitest";
import { openClaim, poll } from "../support/deed.ts";
import { newName, targetService } from "./kit.ts";
import { says } from "./sentences.ts";

const target = targetService({
  CHALLENGE_LABEL: "_acme-proof",
  TOKEN_PREFIX: "acme-",
  FIRST_READ_SECONDS: "1",
});

it(says("C21.5"), async () => {
  const client = await target().signIn();
  const name = newName();
  const claim = await openClaim(client, name);
  expect(claim.name).toBe(`_acme-proof.${name}`);
  expect(claim.token).toMatch(/^acme-[0-9a-f]{40}$/);
  await target().prove(client, "acme.com");
});

it(says("C9.1"), async () => {
  const client = await target().signIn();
  const { verificationId } = await openClaim(client, "initech.com");
  const read = await poll(
    client,
    `/api/verifications/${verificationId}`,
    ({ lastRunAt }) => lastRunAt !== null,
    15,
  );
  expect(read).toMatchObject({ status: "needs_attention" });
});
