import { eq } from "drizzle-orm";
import type { Person } from "#app/core/accounts/accounts.server.ts";
import type { Context } from "#app/core/context.server.ts";
import { newId } from "#app/core/ids.server.ts";
import { createKey } from "#app/features/keys/keys.server.ts";
import { NEXT_TRY_MS } from "#app/features/webhooks/deliver.server.ts";
import { EVENTS_SHOWN } from "#app/features/webhooks/events.ts";
import { addWebhook, endWebhook } from "#app/features/webhooks/webhooks.server.ts";
import { hashSecret, newSecret } from "#app/http/caller/cookies.server.ts";
import { write } from "#db/client.ts";
import { type Scope, webhookDeliveries, webhooks } from "#db/schema.ts";

const MINUTE = 60_000;

/** Webhooks in every state, the first with a delivery for each message that `work` causes. */
export async function seedWebhooks(
  ctx: Context,
  acting: Person,
  now: number,
  work: () => Promise<unknown>,
): Promise<Record<string, string>> {
  const add = (url: string, events = EVENTS_SHOWN) => addWebhook(ctx, acting, { url, events });
  const first = await add("https://hooks.harbour.example/deed");
  await work();
  const rows = ctx.db.select().from(webhookDeliveries).all();
  const tries = NEXT_TRY_MS.length + 1;
  const delivered = { state: "delivered", status: 204, tries: 1, latencyMs: 83 } as const;
  // The first failed for three days, which disabled the webhook and gave up the second. Somebody has enabled it since.
  const ends = [
    { state: "failed", status: 500, tries, latencyMs: 12, answer: '{"error":"no such hook"}' },
    { state: "failed", tries: 0 },
    ...Array.from({ length: rows.length - 4 }, () => delivered),
    { state: "pending", status: 503, tries: 4, latencyMs: 1_204, answer: "upstream is down" },
    { state: "pending", tries: 0 },
  ] as const;
  const paths: Record<string, string> = { webhook: `/account/webhooks/${first.id}` };
  for (const [index, { number, id, createdAt }] of rows.entries()) {
    const end = ends[index] ?? delivered;
    const waits = NEXT_TRY_MS.slice(0, Math.max(0, end.tries - 1));
    const lastTryAt = waits.reduce((at, wait) => at + wait, createdAt);
    const triedAt = end.tries > 0 ? lastTryAt : null;
    const nextWait = end.state === "pending" ? NEXT_TRY_MS[end.tries - 1] : undefined;
    const dueAt = nextWait === undefined ? null : lastTryAt + nextWait;
    ctx.db
      .update(webhookDeliveries)
      .set({ ...end, triedAt, dueAt })
      .where(eq(webhookDeliveries.number, number))
      .run();
    paths[`delivery_${end.state}`] ??= `/account/webhooks/${first.id}/deliveries/${id}`;
  }
  const failing = await add("https://old.harbour.example/incoming", ["claim.proved"]);
  const long = await add(
    `https://a-rather-long-name-for-a-receiver.harbour.example/${"deep/".repeat(12)}`,
  );
  const keyId = newId("key", now);
  const scopes: Scope[] = ["webhooks:manage"];
  const key = { id: keyId, name: "Provisioning", scopes, addresses: [], expiresAt: null };
  await createKey(ctx, acting, { ...key, secretHash: hashSecret(newSecret()) });
  const byKey = (url: string) =>
    addWebhook(ctx, { ...acting, keyId }, { url, events: ["claim.proved"] });
  await byKey("https://provisioned.harbour.example/deed");
  const revoked = await byKey("https://leaked.example/collect");
  await byKey(
    `https://another-rather-long-name-for-a-receiver.harbour.example/${"deep/".repeat(12)}`,
  );
  const unknown = { urlByKey: null, secretByKey: null };
  ctx.db.update(webhooks).set(unknown).where(eq(webhooks.id, first.id)).run();
  await write(ctx.db, (tx) => {
    endWebhook(tx, revoked.id, "key_revoked", now - 3 * MINUTE);
    endWebhook(tx, failing.id, "failing", now - 3 * MINUTE);
    endWebhook(tx, long.id, "holder", now - 3 * MINUTE);
  });
  paths.webhook_revoked = `/account/webhooks/${revoked.id}`;
  paths.hook_key = `/account/keys/${keyId}`;
  return paths;
}
