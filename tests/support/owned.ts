import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import type { Endpoint } from "#app/api/endpoint.server.ts";
import { newEmail, newName, type Target } from "../contract/kit.ts";
import type { Client } from "./deed.ts";
import { mailTo, openClaim } from "./deed.ts";
import { columnIn } from "./facts.ts";
import { inviteTo, joinTo } from "./invitation.ts";

type Params = Record<string, string>;
type Json = Record<string, unknown>;
type Path = { path: string };

/** An account with one resource of each kind, on which every endpoint and page can act. */
export type Owned = {
  client: Client;
  slug: string;
  /** By path; the longest matching one counts. */
  places: Record<string, Params>;
  /** By endpoint, such as "POST /api/claims". */
  bodies: Record<string, Json>;
};

export async function ownerOfEverything(target: Target, email = newEmail()): Promise<Owned> {
  const client = await target.signIn(email);
  const phone = await target.signIn(email);
  const first = async (path: string, name: string, is = (_: Json) => true) => {
    const list = (await phone.expect<Record<string, Json[]>>(200, "GET", path))[name];
    return String(list?.find(is)?.id);
  };
  const { claim: proved, slug } = await target.publish(client, target.zone());
  await client.request("PUT", `/api/claims/${proved.id}/watch`);
  const file = join(target.own.service.dataDir, "deed.db");
  const stop = "select slug from watches where claim_id = ?";
  const mailbox = "select id from handoff_mailboxes order by mailed_at desc limit 1";
  const open = await openClaim(client, "initech.com");
  const handoff = await client.expect<Params>(201, "POST", `/api/claims/${open.id}/handoff`);
  await phone.submit(`/domains/${open.domainId}`, { intent: "mail", email: newEmail() });
  const idle = await client.expect(201, "POST", "/api/domains", { domain: newName() });
  const aKey = { name: "CI", scopes: ["domains:read"], addresses: [], expiresAt: null };
  const key = await client.expect<Params>(201, "POST", "/api/keys", aKey);
  const invited = async () => ({ token: (await inviteTo(target, client)).token });
  const mailed = await mailTo({ outbox: target.mails }, target.stranger(), newEmail());
  return {
    client,
    slug,
    places: {
      "/api/zones": { name: "acme.com" },
      "/api/domains": { id: open.domainId },
      "/api/domains/by-name": { name: "initech.com" },
      "/api/claims": { id: open.id },
      "/api/domains/:id/revoke": { id: proved.domainId },
      "/api/claims/:id/receipt": { id: proved.id },
      "/api/claims/:id/opening": { id: proved.id },
      "/api/claims/:id/watch": { id: proved.id },
      "/api/claims/:id/evidence": { id: proved.id },
      "/api/claims/:id/proof_links": { id: proved.id, slug },
      "/api/verifications": { id: open.verificationId },
      "/api/proofs": { slug },
      "/api/handoffs": { slug: handoff.slug ?? "" },
      "/api/notices": { id: await first("/api/notices", "notices") },
      "/api/webhooks": await webhookOf(target.own.service, client),
      "/api/people": { id: (await joinTo(target, client)).id },
      "/api/invitations": { id: (await inviteTo(target, client)).id },
      "/api/keys": { id: key.id ?? "" },
      "/api/account/sessions": {
        id: await first("/api/account/sessions", "sessions", ({ current }) => current === true),
      },
      "/admin/accounts": { id: String((await client.expect(200, "GET", "/api/account")).id) },
      "/h/": { slug: handoff.slug ?? "" },
      "/p/": { slug },
      "/w/": { slug: columnIn(file, stop, proved.id)[0] ?? "" },
      "/m/": { slug: columnIn(file, mailbox)[0] ?? "" },
    },
    bodies: {
      "POST /api/test/clock": { seconds: 0 },
      "POST /api/domains": { domain: newName() },
      "PUT /api/domains/by-name/:name": { handoff: {} },
      "POST /api/claims": { domainId: idle.id },
      "POST /api/claims/:id/handoff": { showAddress: true },
      "POST /api/auth/magic-link": { email: newEmail() },
      "POST /api/auth/magic-link/verify": { token: mailed.token },
      "POST /api/webhooks": { url: "https://hooks.invalid/new" },
      "PATCH /api/webhooks/:id": { enabled: false },
      "PUT /api/claims/:id/watch": { every: "hour" },
      "POST /api/webhooks/:id/resend": { since: new Date(Date.now() - 60_000).toISOString() },
      "POST /api/people": { email: newEmail() },
      "POST /api/auth/invitations/accept": await invited(),
      "POST /api/auth/invitations/decline": await invited(),
      "POST /api/keys": aKey,
      "POST /api/checks": { name: "acme.com", type: "TXT", value: "acme" },
      "PATCH /api/account": { mailEnabled: false },
      "DELETE /api/account": { email },
    },
  };
}

/** The account's parameters for the path of an endpoint or page: /account/keys/:id uses the place of /api/keys. */
export function paramsOf({ places }: Owned, { path }: Path): Params {
  const at = path.startsWith("/api/") ? path : path.replace(/^(?:\/account)?\//, "/api/");
  const fitting = Object.keys(places).filter((one) => at.startsWith(one) || path.startsWith(one));
  return places[fitting.sort((a, b) => b.length - a.length)[0] ?? ""] ?? {};
}

/** The path with these resources filled in, or with `others` instead. */
export const pathTo = (owned: Owned, endpoint: Path, others: Params = {}): string =>
  endpoint.path.replace(/:(\w+)/g, (_, name: string) => {
    const value = others[name] ?? paramsOf(owned, endpoint)[name];
    if (!value) throw new Error(`${endpoint.path} needs a resource for :${name} here`);
    return value;
  });

export function bodyOf({ bodies }: Owned, { method, path, body }: Endpoint): Json | undefined {
  const known = bodies[`${method} ${path}`];
  if (body && !known) throw new Error(`${method} ${path} needs a body here`);
  return known;
}

/** The paths, such as /claims/:id, of the pages whose source matches the pattern, by their file. */
export function pagesWith(pattern: RegExp): { file: string; path: string }[] {
  const files = readdirSync("app/routes").filter((file) => file.endsWith(".tsx"));
  const named = files.filter((file) =>
    pattern.test(readFileSync(join("app/routes", file), "utf8")),
  );
  return named.map((file) => {
    const path = file.slice(0, -4).replace(/_?\._index$|^_index$/, "");
    return { file, path: `/${path.replace(/_?\./g, "/").replaceAll("$", ":")}` };
  });
}

/** Nothing has this name, and the webhook gets none of the tests' events. */
const URL_ = "https://hooks.invalid/deed";

/** A webhook of an account, with a delivery written directly into the database, because nothing is sent. */
async function webhookOf({ dataDir }: { dataDir: string }, client: Client) {
  const { body } = await client.post("/api/webhooks", { url: URL_, events: ["claim.expired"] });
  const { id } = body as { id: string };
  const db = new Database(join(dataDir, "deed.db"), { timeout: 5_000 });
  const [message, delivery] = [`msg_${id.slice(4)}`, `dlv_${id.slice(4)}`];
  const at = Date.now();
  db.exec(`insert into webhook_messages (id, account_id, type, body, at)
      select '${message}', account_id, 'webhook.test', '{}', ${at} from webhooks where id = '${id}';
    insert into webhook_deliveries
      (id, webhook_id, message_id, lane, created_at, state, tries, status)
      values ('${delivery}', '${id}', '${message}', '${message}', ${at}, 'delivered', 1, 204)`);
  db.close();
  return { id, delivery };
}
