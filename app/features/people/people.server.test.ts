import { expect, it } from "vitest";
import { accountLog } from "#app/core/accounts/accounts.server.ts";
import { joinAccount, personOf } from "#app/core/testing/accounts.ts";
import { claimed } from "#app/core/testing/service.ts";
import { webhookDeliveries, webhooks } from "#db/schema.ts";
import { testWebhook } from "../webhooks/deliveries.server.ts";
import { keptEventsText } from "../webhooks/end-texts.ts";
import { addWebhook, readWebhook, updateWebhook } from "../webhooks/webhooks.server.ts";
import { invite } from "./invitations.server.ts";
import { removePerson } from "./people.server.ts";

const URL_ = "https://hooks.example.org/deed";

/** An account with two people besides its first address, and a webhook that Kim added. */
async function withKim() {
  const { ctx, account } = await claimed();
  const first = personOf(account);
  const join = async (email: string) => {
    await invite(ctx, first, email, email);
    return personOf(await joinAccount(ctx, email));
  };
  const [kim, lea] = [await join("kim@example.org"), await join("lea@example.org")];
  const { id } = await addWebhook(ctx, kim, { url: URL_, events: ["claim.proved"] });
  const because = () => readWebhook(ctx, first.accountId, id).disabledBecause;
  return { ctx, first, kim, lea, id, because };
}

it("C13.12, C26.21: a webhook ends with who chose its address, and drops the pending", async () => {
  const { ctx, first, kim, lea, id, because } = await withKim();
  await testWebhook(ctx, first.accountId, id);
  const made = { keys: [], webhooks: [{ id, url: URL_ }] };
  expect(await removePerson(ctx, lea, kim.personId)).toEqual({ email: kim.email, ...made });
  expect(because()).toBe("person_left");
  const deliveries = ctx.db.select().from(webhookDeliveries).all();
  expect(deliveries).toMatchObject([{ state: "failed", dueAt: null }]);
  expect(ctx.db.select().from(webhooks).get()).toMatchObject({ urlBy: null, mailDueAt: null });
  const removal = { kind: "person_removed", email: lea.email, subject: kim.email };
  expect(accountLog(ctx, first.accountId, 1).events).toMatchObject([removal]);
});

it("whoever enables such a webhook answers for its address, until they leave", async () => {
  const { ctx, kim, lea, id, because } = await withKim();
  await removePerson(ctx, kim, kim.personId);
  await updateWebhook(ctx, lea, id, { enabled: true });
  expect(because()).toBeNull();
  await removePerson(ctx, lea, lea.personId);
  expect(because()).toBe("person_left");
});

it("a webhook that was disabled before ends too, because its secret must be rotated first", async () => {
  const { ctx, first, kim, id, because } = await withKim();
  await updateWebhook(ctx, first, id, { enabled: false });
  await removePerson(ctx, first, kim.personId);
  expect(because()).toBe("person_left");
  expect(keptEventsText("person_left", "deed")).toContain(
    "rotate the secret and enable the webhook, then send",
  );
  for (const because of ["person_left", "key_revoked"] as const)
    expect(keptEventsText(because, "slack")).toContain(
      "If the address is yours, enable the webhook",
    );
});
