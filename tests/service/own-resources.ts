import type { Endpoint } from "#app/api/endpoint.server.ts";
import type { Target } from "../contract/kit.ts";
import { type Client, mailedToken } from "../support/client.ts";
import { openClaim } from "../support/deed.ts";
import { inviteTo, joinTo } from "../support/invitation.ts";
import { webhookOf } from "../support/webhook.ts";

type Params = Record<string, string>;
type Json = Record<string, unknown>;

const WAITING = "waiting@holder.example";

async function waitingToken(target: Target): Promise<string> {
  await target.stranger().post("/api/auth/magic-link", { email: WAITING });
  while (!target.mails().join().includes(WAITING))
    await new Promise((resolve) => setTimeout(resolve, 20));
  return mailedToken(target.own.service, WAITING);
}

/** Resources of an account on which every endpoint would succeed, and the bodies it needs. */
export class OwnResources {
  /** The parameters for paths with this prefix; the longest prefix wins. */
  readonly #places: [start: string, params: Params][];
  /** By endpoint, such as "POST /api/claims". */
  readonly bodies: Record<string, Json>;
  /** The slug of the account's live proof link. */
  readonly slug: string;

  private constructor(places: [string, Params][], bodies: Record<string, Json>, slug: string) {
    this.#places = places;
    this.bodies = bodies;
    this.slug = slug;
  }

  /** Creates the resources in the account of `client`. */
  static async of(target: Target, client: Client): Promise<OwnResources> {
    const { session } = (await client.get("/api/auth/session")).body as { session: Params };
    const phone = await target.signIn(session.email);
    const { sessions } = (await phone.get("/api/account/sessions")).body as {
      sessions: { id: string; current: boolean }[];
    };
    const proved = await target.prove(client, "acme.com");
    const { slug = "" } = (await client.post(`/api/claims/${proved.id}/proof_links`))
      .body as Params;
    await client.request("PUT", `/api/claims/${proved.id}/watch`);
    const open = await openClaim(client, "initech.com");
    const handoff = (await client.post(`/api/claims/${open.id}/handoff`)).body as Params;
    const idle = (await client.post("/api/domains", { domain: "idle.example" })).body as Params;
    const { notices } = (await client.get("/api/notices")).body as { notices: Params[] };
    const joined = await joinTo(target, client);
    const invited = await inviteTo(target, client);
    const aKey = { name: "CI", scopes: ["domains:read"], addresses: [], expiresAt: null };
    const key = (await client.post("/api/keys", aKey)).body as Params;
    const webhook = await webhookOf(target.own.service, client);
    return new OwnResources(
      [
        ["/api/zones", { name: "acme.com" }],
        ["/api/domains", { id: open.domainId }],
        ["/api/claims", { id: open.id }],
        ["/api/claims/:id/receipt", { id: proved.id }],
        ["/api/claims/:id/opening", { id: proved.id }],
        ["/api/claims/:id/watch", { id: proved.id }],
        ["/api/claims/:id/evidence", { id: proved.id }],
        ["/api/claims/:id/proof_links", { id: proved.id, slug }],
        ["/api/verifications", { id: open.verificationId }],
        ["/api/proofs", { slug }],
        ["/api/handoffs", { slug: handoff.slug ?? "" }],
        ["/api/notices", { id: notices[0]?.id ?? "" }],
        ["/api/webhooks", webhook],
        ["/api/people", { id: joined.id }],
        ["/api/invitations", { id: invited.id }],
        ["/api/keys", { id: key.id ?? "" }],
        ["/api/account/sessions", { id: sessions.find(({ current }) => current)?.id ?? "" }],
      ],
      {
        "POST /api/domains": { domain: "new.example" },
        "POST /api/claims": { domainId: idle.id },
        "POST /api/claims/:id/handoff": { showAddress: true },
        "POST /api/auth/magic-link": { email: "new@holder.example" },
        "POST /api/auth/magic-link/verify": { token: await waitingToken(target) },
        "POST /api/webhooks": { url: "https://hooks.invalid/new" },
        "PATCH /api/webhooks/:id": { enabled: false },
        "POST /api/people": { email: "another@holder.example" },
        "POST /api/auth/invitations/accept": { token: (await inviteTo(target, client)).token },
        "POST /api/auth/invitations/decline": { token: (await inviteTo(target, client)).token },
        "POST /api/keys": aKey,
        "PATCH /api/account": { mailEnabled: false },
        "DELETE /api/account": { email: session.email },
      },
      slug,
    );
  }

  /** The endpoint's path with these resources filled in, or with `others` instead. */
  pathTo({ path }: Endpoint, others: Params = {}): string {
    const fitting = this.#places.filter(([start]) => path.startsWith(start));
    const [, own = {}] = fitting.sort(([a], [b]) => b.length - a.length)[0] ?? [];
    return path.replace(/:(\w+)/g, (_, name: string) => {
      const value = others[name] ?? own[name];
      if (!value) throw new Error(`${path} needs a resource for :${name} here`);
      return value;
    });
  }

  /** A body with which the endpoint would succeed; undefined if it takes none. */
  bodyOf({ method, path, body }: Endpoint): Json | undefined {
    const known = this.bodies[`${method} ${path}`];
    if (body && !known) throw new Error(`${method} ${path} needs a body here`);
    return known;
  }
}
