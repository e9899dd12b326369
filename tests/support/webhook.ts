import { join } from "node:path";
import Database from "better-sqlite3";
import type { Client } from "./deed.ts";

/** Nothing is at this name, and no event of the tests is one that the webhook wants. */
const URL_ = "https://hooks.invalid/deed";

export type HeldWebhook = { id: string; delivery: string };

/** A webhook of an account, with a delivery that is written beside the service, because nothing is sent. */
export async function webhookOf(
  { dataDir }: { dataDir: string },
  client: Client,
): Promise<HeldWebhook> {
  const { body } = await client.post("/api/webhooks", { url: URL_, events: ["claim.expired"] });
  const { id } = body as { id: string };
  const db = new Database(join(dataDir, "deed.db"), { timeout: 5_000 });
  const [message, delivery] = [`msg_${id.slice(4)}`, `dlv_${id.slice(4)}`];
  const at = Date.now();
  db.transaction(() => {
    db.prepare(
      `insert into webhook_messages (id, account_id, type, body, at)
       select ?, account_id, 'webhook.test', '{}', ? from webhooks where id = ?`,
    ).run(message, at, id);
    db.prepare(
      `insert into webhook_deliveries (id, webhook_id, message_id, lane, created_at, state, tries, status)
       values (?, ?, ?, ?, ?, 'delivered', 1, 204)`,
    ).run(delivery, id, message, message, at);
  }).immediate();
  db.close();
  return { id, delivery };
}
