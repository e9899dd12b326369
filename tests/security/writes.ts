import type { Target } from "../contract/kit.ts";
import { newEmail, newName } from "../contract/kit.ts";
import { type Client, mailedToken } from "../support/client.ts";
import { openClaim } from "../support/deed.ts";
import { inviteTo, joinTo } from "../support/invitation.ts";
import { webhookOf } from "../support/webhook.ts";
import { openBeside } from "./database.ts";

/** A write that would change something: its endpoint or page, and its body. */
export type Write = {
  /** The endpoint's entry in the table, or the route's file name. */
  at: string;
  path: string;
  json?: unknown;
  form?: Record<string, string>;
  client?: Client;
};

const form = (
  at: string,
  path: string,
  fields: Record<string, string>,
  client?: Client,
): Write => ({
  at,
  path,
  form: fields,
  ...(client ? { client } : {}),
});

type Holder = {
  target: Target;
  client: Client;
  /** A listed domain that is used only once. */
  domain(): Promise<string>;
  pending(): Promise<{ id: string; domainId: string; verificationId: string }>;
  /** A proved claim with `links` published links. */
  proved(): Promise<{ id: string; domainId: string }>;
  notice(): Promise<string>;
  token(): Promise<string>;
};

/** An account that changes only through requests: no notices are mailed to it. */
async function quietHolder(target: Target): Promise<Client> {
  const client = await target.signIn();
  await client.request("PATCH", "/api/account", { json: { mailEnabled: false } });
  return client;
}

/** A stranger whose browser has shown that it keeps cookies, as pages that sign in require. */
async function visitor(target: Target): Promise<Client> {
  const client = target.stranger();
  const { token } = await inviteTo(target, await target.signIn());
  await client.get(`/sign-in/invitation?token=${token}`);
  return client;
}

/** The administrator of the service under test. */
export const ADMIN = "admin@holder.example";

const accountOf = async (client: Client) => idOf((await client.get("/api/account")).body);

const idOf = (body: unknown) => String((body as { id: unknown }).id);

function holderOf(target: Target, client: Client, dataDir: string): Holder {
  const domain = async () => idOf((await client.post("/api/domains", { domain: newName() })).body);
  const pending = () => openClaim(client, newName());
  const proved = () => {
    const name = newName();
    target.own.playground.addZone({ name, nameservers: ["ns1.hosting.example"] });
    return target.prove(client, name);
  };
  return {
    target,
    client,
    domain,
    pending,
    proved,
    async notice() {
      const claim = await pending();
      const { accountId } = (
        (await client.get("/api/auth/session")).body as { session: { accountId: string } }
      ).session;
      const db = openBeside({ dataDir });
      const id = `ntc_${claim.id}`;
      db.prepare(
        "insert into notices (id, account_id, kind, domain_id, claim_id, created_at) values (?, ?, 'nudge', ?, ?, ?)",
      ).run(id, accountId, claim.domainId, claim.id, Date.now());
      db.close();
      return id;
    },
    async token() {
      const email = newEmail();
      const before = target.mails().length;
      await target.stranger().post("/api/auth/magic-link", { email });
      while (target.mails().length === before) await new Promise((go) => setTimeout(go, 20));
      return mailedToken({ outbox: target.mails }, email);
    },
  };
}

const slugOf = async (client: Client, claim: string) =>
  String(((await client.post(`/api/claims/${claim}/proof_links`)).body as { slug: unknown }).slug);

async function watchedOf(its: Holder) {
  const claim = await its.proved();
  await its.client.request("PUT", `/api/claims/${claim.id}/watch`);
  return claim;
}

/** The end of the link that mails about a watched record have. */
async function stopSlugOf(its: Holder, dataDir: string): Promise<string> {
  const { id } = await watchedOf(its);
  const db = openBeside({ dataDir });
  const slug = db.prepare("select slug from watches where claim_id = ?").pluck().get(id);
  db.close();
  return String(slug);
}

const keyOf = async (client: Client) =>
  idOf((await client.post("/api/keys", { name: "CI", scopes: ["domains:read"] })).body);

/** One write for every writing endpoint in the table. `dataDir` holds the database. */
export async function apiWrites(target: Target, dataDir: string): Promise<Write[]> {
  const client = await quietHolder(target);
  const its = holderOf(target, client, dataDir);
  const call = (at: string, path: string, json?: unknown, by?: Client): Write => ({
    at,
    path: `/api${path}`,
    ...(json === undefined ? {} : { json }),
    ...(by ? { client: by } : { client }),
  });
  const unarchived = await its.domain();
  await client.post(`/api/domains/${unarchived}/archive`);
  const linked = await its.proved();
  const handed = await its.pending();
  await client.post(`/api/claims/${handed.id}/handoff`);
  const email = newEmail();
  const first = await target.signIn(email);
  await target.signIn(email);
  const sessions = (await first.get("/api/account/sessions")).body as {
    sessions: { id: string; current: boolean }[];
  };
  const other = sessions.sessions.find(({ current }) => !current)?.id ?? "";
  const hook = await webhookOf({ dataDir }, client);
  const claim = (path: string) => `/claims/${path}`;
  const leaving = newEmail();
  return [
    call("POST /api/domains", "/domains", { domain: newName() }),
    call("POST /api/domains/:id/archive", `/domains/${await its.domain()}/archive`),
    call("POST /api/domains/:id/unarchive", `/domains/${unarchived}/unarchive`),
    call("DELETE /api/domains/:id", `/domains/${await its.domain()}`),
    call("POST /api/claims", "/claims", { domainId: await its.domain() }),
    call("POST /api/claims/:id/cancel", claim(`${(await its.pending()).id}/cancel`)),
    call("POST /api/claims/:id/proof_links", claim(`${(await its.proved()).id}/proof_links`)),
    call(
      "POST /api/claims/:id/proof_links/:slug/revoke",
      claim(`${linked.id}/proof_links/${await slugOf(client, linked.id)}/revoke`),
    ),
    call("POST /api/claims/:id/handoff", claim(`${(await its.pending()).id}/handoff`)),
    call("POST /api/claims/:id/handoff/revoke", claim(`${handed.id}/handoff/revoke`)),
    call(
      "POST /api/verifications/:id/runs",
      `/verifications/${(await its.pending()).verificationId}/runs`,
    ),
    call("PUT /api/claims/:id/watch", claim(`${(await its.proved()).id}/watch`)),
    call("DELETE /api/claims/:id/watch", claim(`${(await watchedOf(its)).id}/watch`)),
    call("POST /api/notices/:id/read", `/notices/${await its.notice()}/read`),
    call("PATCH /api/account", "/account", { mailEnabled: true }),
    call("POST /api/auth/magic-link", "/auth/magic-link", { email: newEmail() }),
    call(
      "POST /api/auth/magic-link/verify",
      "/auth/magic-link/verify",
      { token: await its.token() },
      target.stranger(),
    ),
    call("DELETE /api/account/sessions/:id", `/account/sessions/${other}`, undefined, first),
    call("POST /api/auth/sign-out", "/auth/sign-out", undefined, await target.signIn()),
    call("POST /api/auth/sign-out-everywhere", "/auth/sign-out-everywhere", undefined, first),
    call("POST /api/webhooks", "/webhooks", { url: "https://hooks.invalid/new" }),
    call("PATCH /api/webhooks/:id", `/webhooks/${hook.id}`, { events: ["claim.proved"] }),
    call("POST /api/webhooks/:id/rotate", `/webhooks/${hook.id}/rotate`),
    call("POST /api/webhooks/:id/test", `/webhooks/${hook.id}/test`),
    call(
      "POST /api/webhooks/:id/deliveries/:delivery/resend",
      `/webhooks/${hook.id}/deliveries/${hook.delivery}/resend`,
    ),
    call("DELETE /api/webhooks/:id", `/webhooks/${(await webhookOf({ dataDir }, client)).id}`),
    call("POST /api/people", "/people", { email: newEmail() }),
    call("DELETE /api/people/:id", `/people/${(await joinTo(target, client)).id}`),
    call("DELETE /api/invitations/:id", `/invitations/${(await inviteTo(target, client)).id}`),
    call(
      "POST /api/auth/invitations/accept",
      "/auth/invitations/accept",
      { token: (await inviteTo(target, client)).token },
      target.stranger(),
    ),
    call(
      "POST /api/auth/invitations/decline",
      "/auth/invitations/decline",
      { token: (await inviteTo(target, client)).token },
      target.stranger(),
    ),
    call("POST /api/keys", "/keys", { name: "CI", scopes: ["domains:read"] }),
    call("POST /api/keys/:id/rotate", `/keys/${await keyOf(client)}/rotate`),
    call("DELETE /api/keys/:id", `/keys/${await keyOf(client)}`),
    call("DELETE /api/account", "/account", { email: leaving }, await target.signIn(leaving)),
  ];
}

/** One post for every form of every page, by the route's file. */
export async function formWrites(target: Target, dataDir: string): Promise<Write[]> {
  const client = await quietHolder(target);
  const its = holderOf(target, client, dataDir);
  const claims = "claims.$id.tsx";
  const onClaim = async (intent: string) =>
    form(claims, `/claims/${(await its.pending()).id}`, { intent }, client);
  const unarchived = await its.domain();
  await client.post(`/api/domains/${unarchived}/archive`);
  const linked = await its.proved();
  const slug = await slugOf(client, linked.id);
  const taken = await its.pending();
  await client.post(`/api/claims/${taken.id}/handoff`);
  const open = await its.pending();
  const handoff = (await client.post(`/api/claims/${open.id}/handoff`)).body as { slug: string };
  const erasing = newEmail();
  const { id: hooked, delivery } = await webhookOf({ dataDir }, client);
  const hook = `/account/webhooks/${hooked}`;
  const [stranger, asker] = [target.stranger(), target.stranger()];
  return [
    form("domains._index.tsx", "/domains?index", { domain: newName(), intent: "add" }, client),
    form("domains.$id.tsx", `/domains/${await its.domain()}`, { intent: "claim" }, client),
    form("domains.$id.tsx", `/domains/${unarchived}`, { intent: "unarchive" }, client),
    form("domains.$id_.archive.tsx", `/domains/${await its.domain()}/archive`, {}, client),
    form("domains.$id_.delete.tsx", `/domains/${await its.domain()}/delete`, {}, client),
    await onClaim("check"),
    await onClaim("cancel"),
    await onClaim("hand-over"),
    form(claims, `/claims/${taken.id}`, { intent: "take-back" }, client),
    form(claims, `/claims/${(await its.proved()).id}`, { intent: "publish" }, client),
    form(claims, `/claims/${(await its.proved()).id}`, { intent: "watch" }, client),
    form(claims, `/claims/${(await watchedOf(its)).id}`, { intent: "unwatch" }, client),
    form("w.$slug.tsx", `/w/${await stopSlugOf(its, dataDir)}`, { intent: "confirm" }, stranger),
    form("claims.$id_.revoke.tsx", `/claims/${linked.id}/revoke`, { slug }, client),
    form("h.$slug.tsx", `/h/${handoff.slug}`, { intent: "check" }, stranger),
    form("notices.tsx", "/notices", { id: await its.notice() }, client),
    form(
      "notices.tsx",
      "/notices",
      { intent: "unwatch", claimId: (await watchedOf(its)).id },
      client,
    ),
    form("account._index.tsx", "/account?index", { intent: "mail", mail: "on" }, client),
    form(
      "account.people._index.tsx",
      "/account/people?index",
      { intent: "invite", email: newEmail() },
      client,
    ),
    form(
      "account.people.$id.tsx",
      `/account/people/${(await joinTo(target, client)).id}`,
      {},
      client,
    ),
    form(
      "account.keys._index.tsx",
      "/account/keys?index",
      { intent: "create", name: "CI", scopes: "domains:read" },
      client,
    ),
    form(
      "account.keys.$id.tsx",
      `/account/keys/${await keyOf(client)}`,
      { intent: "rotate" },
      client,
    ),
    form(
      "account.keys.$id.tsx",
      `/account/keys/${await keyOf(client)}`,
      { intent: "revoke" },
      client,
    ),
    form(
      "account.webhooks._index.tsx",
      "/account/webhooks?index",
      { intent: "add", url: "https://hooks.invalid/new", events: "claim.proved" },
      client,
    ),
    form("account.webhooks.$id._index.tsx", `${hook}?index`, { intent: "rotate" }, client),
    form(
      "account.webhooks.$id.deliveries.$delivery.tsx",
      `${hook}/deliveries/${delivery}`,
      { intent: "again" },
      client,
    ),
    form(
      "account.webhooks.$id.delete.tsx",
      `/account/webhooks/${(await webhookOf({ dataDir }, client)).id}/delete`,
      {},
      client,
    ),
    form(
      "sign-in.invitation.tsx",
      "/sign-in/invitation",
      { intent: "accept", token: (await inviteTo(target, client)).token },
      await visitor(target),
    ),
    form(
      "admin.accounts.$id.tsx",
      `/admin/accounts/${await accountOf(await target.signIn())}`,
      { intent: "confirm" },
      await target.signIn(ADMIN),
    ),
    form("sign-in._index.tsx", "/sign-in?index", { email: newEmail() }, stranger),
    form(
      "sign-in.confirm.tsx",
      "/sign-in/confirm",
      { token: await its.token() },
      await visitor(target),
    ),
    form("sign-in.code.tsx", "/sign-in/code", await mailedCode(target, asker), asker),
    form("account._index.tsx", "/account?index", { intent: "end-all" }, await target.signIn()),
    form("sign-out.tsx", "/sign-out", {}, await target.signIn()),
    form("account.delete.tsx", "/account/delete", { email: erasing }, await target.signIn(erasing)),
  ];
}

async function mailedCode(target: Target, asker: Client): Promise<{ email: string; code: string }> {
  const email = newEmail();
  const before = target.mails().length;
  await asker.post("/api/auth/magic-link", { email });
  while (target.mails().length === before) await new Promise((go) => setTimeout(go, 20));
  return { email, code: /^ {4}(\d{6})$/m.exec(target.mails().at(-1) ?? "")?.[1] ?? "" };
}
